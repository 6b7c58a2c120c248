import { isOverAt, phaseOf } from '#client/lib/auction/auction-state.ts'
import { formatVehicle } from '#client/ui/format.ts'
import type { LaneChange } from '#shared/events/lane.ts'
import { laneRowsMax } from '#shared/limits.ts'
import type { Lane, LanePin, LaneRow } from '#shared/schemas/lane.ts'

/** The state of an auction for this dealer. */
export type Standing = 'coming' | 'open' | 'winning' | 'outbid' | 'closing' | 'won' | 'deciding' | 'over'

const leadsIn = ({ auction, you }: Pick<LaneRow, 'auction' | 'you'>): boolean =>
  auction.leader !== null && auction.leader === you.number

export function standingOf(row: Pick<LaneRow, 'auction' | 'you'>, nowMs: number): Standing {
  const phase = phaseOf(row.auction, nowMs)
  if (phase === 'coming' || phase === 'closing') return phase
  if (phase === 'running') {
    if (row.you.number === null || row.auction.leader === null) return 'open'
    return leadsIn(row) ? 'winning' : 'outbid'
  }
  if (phase === 'sold' && leadsIn(row)) return 'won'
  return phase === 'deciding' && leadsIn(row) ? 'deciding' : 'over'
}

export const isDone = (row: Pick<LaneRow, 'auction' | 'you'>, nowMs: number): boolean =>
  standingOf(row, nowMs) === 'over'

const endOf = ({ auction }: LaneRow): number => Date.parse(auction.endsAt)
const startOf = ({ auction }: LaneRow): number => Date.parse(auction.startsAt)

export const isRunningAt = ({ auction }: LaneRow, nowMs: number): boolean => phaseOf(auction, nowMs) === 'running'
export const isComingAt = ({ auction }: LaneRow, nowMs: number): boolean => phaseOf(auction, nowMs) === 'coming'

export const bySoonestEnd = (a: LaneRow, b: LaneRow): number => endOf(a) - endOf(b)
export const bySoonestStart = (a: LaneRow, b: LaneRow): number => startOf(a) - startOf(b)

/** Sorts rows for the strip. Open auctions come first, by end time. Ended auctions follow, most recent first. */
export const inStripOrder = (rows: readonly LaneRow[], nowMs: number): LaneRow[] => {
  const isOver = ({ auction }: LaneRow) => isOverAt(auction, nowMs)
  return [
    ...rows.filter((row) => !isOver(row)).toSorted(bySoonestEnd),
    ...rows.filter(isOver).toSorted((a, b) => endOf(b) - endOf(a)),
  ]
}

/** Returns the auction ending soonest among those where the dealer was outbid. */
export const mostUrgent = (rows: readonly LaneRow[], nowMs: number): LaneRow | undefined =>
  rows.filter((row) => standingOf(row, nowMs) === 'outbid').toSorted(bySoonestEnd)[0]

/** Returns a watched auction without a grid position: the one ending soonest, or else the one starting soonest. */
export function nextWatched(rows: readonly LaneRow[], isShown: (postId: string) => boolean, nowMs: number) {
  const open = rows.filter((row) => row.you.watching && !row.you.isSeller && !isShown(row.postId))
  return (
    open.filter((row) => isRunningAt(row, nowMs)).toSorted(bySoonestEnd)[0] ??
    open.filter((row) => isComingAt(row, nowMs)).toSorted(bySoonestStart)[0]
  )
}

/** Lists other sellers' auctions: running auctions by end time, then coming auctions by start time. */
export function endingSoonest(rows: readonly LaneRow[], nowMs: number): string[] {
  const others = rows.filter(({ you }) => !you.isSeller)
  const running = others.filter((row) => isRunningAt(row, nowMs)).toSorted(bySoonestEnd)
  const coming = others.filter((row) => isComingAt(row, nowMs)).toSorted(bySoonestStart)
  return [...running, ...coming].map(({ postId }) => postId)
}

export const nameOfRow = ({ title, year, make, model, trim }: LaneRow): string =>
  formatVehicle({ year, make, model, trim }) || title

export const shortNameOf = (row: LaneRow): string =>
  row.year === null ? nameOfRow(row) : `’${String(row.year).slice(-2)} ${formatVehicle({ ...row, year: null })}`

export const modelNameOf = (row: LaneRow): string => [row.model, row.trim].filter(Boolean).join(' ') || nameOfRow(row)

/** Applies a change to a row. Ignores changes that are not newer than the row. */
export function withChange(row: LaneRow, change: LaneChange | undefined): LaneRow {
  if (change === undefined || change.seq <= row.auction.seq) return row
  const { postId: _postId, ...state } = change
  const leads = row.you.number !== null && change.leader === row.you.number
  return {
    ...row,
    auction: { ...row.auction, ...state },
    you: { ...row.you, maximum: leads ? row.you.maximum : null },
  }
}

/** True if the change frees part of the day limit, because the dealer no longer leads or the auction has been decided. */
function freesDayLimit(row: LaneRow, change: LaneChange): boolean {
  const { seq, leader, status } = row.auction
  return leadsIn(row) && change.seq > seq && (change.leader !== leader || change.status !== status)
}

/** True if the changes free up some of the dealer's day limit. `removed` lists posts that are no longer for sale. */
export const affectsDayLimit = (
  rows: ReadonlyMap<string, LaneRow>,
  changes: readonly LaneChange[],
  removed: string[] = [],
) =>
  changes.some((change) => {
    const row = rows.get(change.postId)
    return row !== undefined && freesDayLimit(row, change)
  }) ||
  removed.some((postId) => {
    const row = rows.get(postId)
    return row !== undefined && leadsIn(row)
  })

/** A partly loaded list is refetched before it has fewer rows than this. */
const rowsLeft = laneRowsMax / 2

/** Returns the numbers of running and coming auctions. If a list is only partly loaded, uses the server's last count. */
export function countsOf(
  { behind, counts, running, coming }: Lane,
  nowMs: number,
): { running: number; coming: number } {
  const rows = [...new Map([...running, ...coming].map((row) => [row.postId, row])).values()]
  const count = (is: typeof isRunningAt) => rows.filter((row) => is(row, nowMs)).length
  return {
    running: behind.running === null ? count(isRunningAt) : counts.running,
    coming: behind.coming === null ? count(isComingAt) : counts.coming,
  }
}

/** True if so many rows of a partly loaded list have ended or started that the list must be refetched. */
export const hasTooFewRows = ({ behind, running, coming }: Lane, nowMs: number): boolean =>
  (behind.running !== null && running.filter((row) => isRunningAt(row, nowMs)).length < rowsLeft) ||
  (behind.coming !== null && coming.filter((row) => isComingAt(row, nowMs)).length < rowsLeft)

export const isEnding = (row: LaneRow | undefined, { status }: LaneChange): boolean =>
  status !== 'open' && (row === undefined || row.auction.status === 'open')

export type Followup = 'lists' | 'counts' | undefined

/** Returns what to refetch: `lists` if a new auction belongs to the loaded part of a list, or `counts` if only the counts change. */
export function followupOf(lane: Lane, row: LaneRow | undefined, change: LaneChange, nowMs: number): Followup {
  const { status, startsAt, endsAt, bidCount } = change
  if (status !== 'open') return isEnding(row, change) ? 'counts' : undefined
  if (row !== undefined) return undefined
  const [list, at, time] =
    Date.parse(startsAt) > nowMs
      ? (['coming', startsAt, 'startsAt'] as const)
      : (['running', endsAt, 'endsAt'] as const)
  const last = lane[list].at(-1)
  if (lane.behind[list] === null || last === undefined || at < last.auction[time]) return 'lists'
  return bidCount === 0 ? 'counts' : undefined
}

const lists = ['running', 'coming', 'mine', 'pinned'] as const

/** Applies `change` to the rows of all lists. Drops the rows for which it returns undefined. */
export function mapRows(lane: Lane, change: (row: LaneRow) => LaneRow | undefined): Lane {
  const next = { ...lane }
  for (const list of lists) next[list] = lane[list].flatMap((row) => change(row) ?? [])
  return next
}

/** Returns every row once, in its newest version, by post id. */
export function rowsOf(lane: Lane): Map<string, LaneRow> {
  const rows = new Map<string, LaneRow>()
  for (const list of lists)
    for (const row of lane[list]) {
      const held = rows.get(row.postId)
      if (held === undefined || held.auction.seq < row.auction.seq) rows.set(row.postId, row)
    }
  return rows
}

/** Removes auctions that are no longer for sale. An auction in a grid position stays, marked as over, until the position is reused. */
export function withoutRemoved(lane: Lane, isRemoved: (postId: string) => boolean): Lane {
  const pins = lane.pins.filter(({ postId, slot }) => slot !== null || !isRemoved(postId))
  const placed = new Set(pins.map(({ postId }) => postId))
  const over = (row: LaneRow): LaneRow => ({ ...row, auction: { ...row.auction, status: 'no_sale' } })
  const pinned = lane.pinned.flatMap((row) => {
    if (!isRemoved(row.postId)) return [row]
    return placed.has(row.postId) ? [over(row)] : []
  })
  return { ...mapRows(lane, (row) => (isRemoved(row.postId) ? undefined : row)), pins, pinned }
}

/** Restores the grid positions of auctions that are no longer for sale, because the response omits them. Skips reused positions. */
function withPositionsOfRemoved(answer: Lane, held: Lane, isRemoved: (postId: string) => boolean): Lane {
  const isTaken = (pin: LanePin) => answer.pins.some(({ postId, slot }) => postId === pin.postId || slot === pin.slot)
  const pins = held.pins.filter((pin) => isRemoved(pin.postId) && !isTaken(pin))
  if (pins.length === 0) return answer
  const rows = held.pinned.filter(({ postId }) => pins.some((pin) => pin.postId === postId))
  return { ...answer, pins: [...answer.pins, ...pins], pinned: [...answer.pinned, ...rows] }
}

/** Replaces the pins of a response with the client's pins, which changed after the server read its pins. */
export function withPinsOf(answer: Lane, held: Lane | undefined): Lane {
  if (held === undefined) return answer
  const known = new Map([...rowsOf(held), ...rowsOf(answer)])
  return { ...answer, pins: held.pins, pinned: held.pins.flatMap(({ postId }) => known.get(postId) ?? []) }
}

/** Merges a response with the cached Lane. Keeps cached rows that events have made newer than the response. */
export function withHeld(answer: Lane, held: Lane | undefined, isRemoved: (postId: string) => boolean): Lane {
  if (held === undefined) return answer
  const known = rowsOf(held)
  const newest = mapRows(answer, (row) => withChange(row, known.get(row.postId)?.auction))
  return withPositionsOfRemoved(newest, held, isRemoved)
}
