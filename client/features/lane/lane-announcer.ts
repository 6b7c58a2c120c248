/** So often at most something is read out. */
const everyMs = 2_000

/** What is read out: of each place the newest only, one line at a time, the place that spoke first first. */
export function createAnnouncer(say: (line: string) => void) {
  const waiting = new Map<number, string>()
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    tell: (place: number, line: string) => {
      // Told anew: what was waiting of this place is old, but its turn stays.
      waiting.set(place, line)
    },
    look: (nowMs: number) => {
      const [next] = waiting
      if (next === undefined || nowMs - lastMs < everyMs) return
      waiting.delete(next[0])
      lastMs = nowMs
      say(next[1])
    },
  }
}

/** Seconds at which the time left is said. */
const saidAt = [60, 30, 10]

/** What is said as the end comes near; undefined at every other moment. */
export const timeLine = (name: string, secondsBefore: number, seconds: number): string | undefined => {
  const passed = saidAt.find((at) => secondsBefore > at && seconds <= at && seconds > at - 2)
  return passed === undefined ? undefined : `${name}: ${passed} seconds left`
}
