/** Pseudorandom values. The same seed gives the same demo on every machine. */
export interface Random {
  /** A number from 0 to just below 1. */
  next: () => number
  /** An integer. Both bounds are included. */
  int: (low: number, high: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T
  /** Returns `count` distinct items, or all items if there are fewer. */
  sample: <T>(items: readonly T[], count: number) => T[]
  /** A number around 0, usually between -1 and 1. */
  bell: () => number
}

/** A Mulberry32 generator with 32 bits of state. Do not use it for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(items: readonly T[]): T => {
    const index = int(0, items.length - 1)
    if (!(index in items)) throw new RangeError('nothing to pick from')
    return items[index] as T
  }
  const sample = <T>(items: readonly T[], count: number): T[] => {
    const pool = [...items]
    for (let index = pool.length - 1; index > 0; index--) {
      const other = int(0, index)
      ;[pool[index], pool[other]] = [pool[other] as T, pool[index] as T]
    }
    return pool.slice(0, count)
  }
  return { next, int, pick, sample, chance: (p) => next() < p, bell: () => next() + next() + next() - 1.5 }
}
