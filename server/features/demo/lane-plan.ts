interface Chance {
  int: (low: number, high: number) => number
}

export interface LaneTimes {
  startsAt: Date
  endsAt: Date
}

const secondMs = 1_000
const minuteMs = 60_000
/** Auctions that should run at once. More may run at times, because bids near the end extend an auction. */
const runningWanted = 4
const comingWanted = 4
/** The next auction begins up to this many seconds before the auction that it replaces ends. */
const earlySecondsMax = 90
const lengthTries = 5

/** Draws several end times and returns the one that is farthest from all other ends. */
function drawEnd(startsAt: number, others: readonly number[], isFirst: boolean, chance: Chance): number {
  const distance = (end: number) => Math.min(...others.map((other) => Math.abs(other - end)), Infinity)
  const ends = Array.from({ length: lengthTries }, () => {
    const minutes = isFirst ? chance.int(3, 17) : chance.int(10, 22)
    return startsAt + minutes * minuteMs + chance.int(0, 59) * secondMs
  })
  return ends.reduce((best, end) => (distance(end) > distance(best) ? end : best))
}

/** Starts the next auction now if too few are running, or else when another auction ends. Undefined if enough are planned. */
export function planNext(known: readonly LaneTimes[], now: Date, chance: Chance): LaneTimes | undefined {
  const from = now.getTime()
  const lasting = known
    .map(({ startsAt, endsAt }) => ({ start: startsAt.getTime(), end: endsAt.getTime() }))
    .filter(({ end }) => end > from)
  const running = (at: number) => lasting.filter(({ start, end }) => start <= at && at < end).length
  const ends = lasting.map(({ end }) => end).toSorted((a, b) => a - b)
  const at = [from, ...ends].find((moment) => running(moment) < runningWanted) ?? from
  const isFirst = at === from
  if (!isFirst && lasting.filter(({ start }) => start > from).length >= comingWanted) return undefined
  const early = chance.int(0, earlySecondsMax) * secondMs
  const startsAt = isFirst ? from : Math.max(from, at - early)
  return { startsAt: new Date(startsAt), endsAt: new Date(drawEnd(startsAt, ends, isFirst, chance)) }
}
