import type { Db } from '#server/platform/db.ts'
import { openThread, programBeside, type LastingThread } from '#server/platform/threads.ts'
import { listOpenPrices, readChanges, readRows, readSellers, readStart, type Lines } from './find-lines.repository.ts'
import type { FindCalls } from './find-thread.ts'

/** What a process has read of find_vehicles, as columns in a thread of its own. */
export interface Held {
  thread: LastingThread<FindCalls>
  /** What was committed when it was read last, as PostgreSQL writes it: from there on it is asked what has changed. */
  snapshot: string
  readAt: number
  /** Of auctions that run: the state that was read last, by row. */
  prices: Map<number, string>
  pricesAt: number
  vehicles: number
  memoryMb: number
}

const rowsPerRead = 50_000
const pricesEveryMs = 5_000
const bytesPerMb = 1024 * 1024

/** Puts these rows in the place of those with the same numbers. A question of after the call is answered by them. */
async function write(held: Held, { lines, count }: Lines): Promise<void> {
  if (count === 0) return
  const { vehicles, bytes } = await held.thread.call('vehicles', lines)
  held.vehicles = vehicles
  held.memoryMb = Math.round(bytes / bytesPerMb)
}

async function writeSellers({ thread }: Held, { lines, count }: Lines): Promise<void> {
  if (count > 0) await thread.call('sellers', lines)
}

/** All that is on offer, read anew. */
export async function readAll(db: Db): Promise<Held> {
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

/** What bids have changed: they do not touch the rows of Find. */
async function followPrices(held: Held, db: Db): Promise<boolean> {
  const open = await listOpenPrices(db)
  const changed = open.filter(({ rowNo, state }) => held.prices.get(rowNo) !== state).map(({ rowNo }) => rowNo)
  held.prices = new Map(open.map(({ rowNo, state }) => [rowNo, state]))
  if (changed.length > 0) await write(held, await readRows(db, 0, 0, changed))
  return changed.length > 0
}

/** Reads what has changed since the last time. Answers whether anything had, and the snapshot that it has by now. */
export async function readNews(held: Held, db: Db): Promise<{ hasChanged: boolean; snapshot: string }> {
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
