const everyMs = 2_000

/** Queues screen reader announcements and makes one at a time. Keeps only the newest announcement of each grid position. */
export function createAnnouncer(show: (text: string) => void) {
  const waiting = new Map<number, string>()
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    announce: (slot: number, text: string) => {
      waiting.set(slot, text)
    },
    tick: (nowMs: number) => {
      const [next] = waiting
      if (next === undefined || nowMs - lastMs < everyMs) return
      waiting.delete(next[0])
      lastMs = nowMs
      show(next[1])
    },
  }
}

/** The time left is announced when this many seconds remain. */
const announcedSeconds = [60, 30, 10]

export const timeLeftText = (name: string, secondsBefore: number, seconds: number): string | undefined => {
  const passed = announcedSeconds.find((at) => secondsBefore > at && seconds <= at && seconds > at - 2)
  return passed === undefined ? undefined : `${name}: ${passed} seconds left`
}
