import type { Db } from '#server/platform/database/db.ts'
import { openThread, programBeside, type LastingThread } from '#server/platform/jobs/threads.ts'
import { listOpenPrices, readChanges, readRows, readSellers, readStart, type Lines } from './lines.repository.ts'
import type { FindCalls } from './find-thread.ts'

export interface LoadedIndex {
  thread: LastingThread<FindCalls>
  /** PostgreSQL snapshot of the last read. The next read returns the changes since then. */
  snapshot: string
  readAt: number
  prices: Map<number, string>
  pricesAt: number
  vehicles: number
  memoryMb: number
}

const rowsPerRead = 50_000
const pricesEveryMs = 5_000
const bytesPerMb = 1024 * 1024

/** Inserts or replaces rows. Searches that start after this call include them. */
async function write(held: LoadedIndex, { lines, count }: Lines): Promise<void> {
  if (count === 0) return
  const { vehicles, bytes } = await held.thread.call('vehicles', lines)
  held.vehicles = vehicles
  held.memoryMb = Math.round(bytes / bytesPerMb)
}

async function writeSellers({ thread }: LoadedIndex, { lines, count }: Lines): Promise<void> {
  if (count > 0) await thread.call('sellers', lines)
}

export async function readAll(db: Db): Promise<LoadedIndex> {
  const thread = openThread<FindCalls>(programBeside(import.meta.url, 'find-thread'))
  try {
    const { snapshot, places, lastRow } = await readStart(db)
    const held = { thread, snapshot, readAt: Date.now(), prices: new Map(), pricesAt: 0, vehicles: 0, memoryMb: 0 }
    await thread.call('places', places)
    await writeSellers(held, await readSellers(db))
    for (let from = 0; from <= lastRow; from += rowsPerRead)
      await write(held, await readRows(db, from, from + rowsPerRead))
    return held
  } catch (error) {
    thread.close()
    throw error
  }
}

/** Updates prices after bids. Bids do not modify `find_vehicles`, so `readChanges` misses them. */
async function followPrices(held: LoadedIndex, db: Db): Promise<boolean> {
  const open = await listOpenPrices(db)
  const changed = open.filter(({ rowNo, state }) => held.prices.get(rowNo) !== state).map(({ rowNo }) => rowNo)
  held.prices = new Map(open.map(({ rowNo, state }) => [rowNo, state]))
  if (changed.length > 0) await write(held, await readRows(db, 0, 0, changed))
  return changed.length > 0
}

export async function applyChanges(held: LoadedIndex, db: Db): Promise<{ hasChanged: boolean; snapshot: string }> {
  const changes = await readChanges(db, held.snapshot)
  const changedSellers = await readSellers(db, held.snapshot)
  await Promise.all([write(held, changes), writeSellers(held, changedSellers)])
  held.readAt = Date.now()
  const { snapshot } = changes
  const hasChanged = changes.count + changedSellers.count > 0
  if (Date.now() - held.pricesAt < pricesEveryMs) return { hasChanged, snapshot }
  held.pricesAt = Date.now()
  const hasBids = await followPrices(held, db)
  return { hasChanged: hasChanged || hasBids, snapshot }
}
