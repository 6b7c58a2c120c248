export interface Paced {
  /** Says that there is something to send for this key. */
  tell(key: string): void
  /** Sends now what waits for these keys. */
  flush(keys: Iterable<string>): void
}

/** At most once in `everyMs`, as long as it goes on. So many may follow each other where it was silent before: two unless said. */
export interface Pace {
  everyMs: number
  atOnce?: number
}

/**
 * Calls `send` for a key at once, and at most once in `everyMs` as long as the key goes on being told of. After the last
 * telling it is always called once more.
 */
export function createPaced({ everyMs, atOnce = 2 }: Pace, send: (key: string) => void): Paced {
  const paces = new Map<string, { spent: number; waits: boolean }>()
  const sendNow = (key: string, pace: { spent: number; waits: boolean }) => {
    pace.waits = false
    pace.spent += 1
    send(key)
  }
  const giveBackLater = (key: string) => void setTimeout(giveBack, everyMs, key).unref()
  const giveBack = (key: string) => {
    const pace = paces.get(key)
    if (pace === undefined) return
    pace.spent -= 1
    if (pace.spent === 0 && !pace.waits) return void paces.delete(key)
    giveBackLater(key)
    if (pace.waits) sendNow(key, pace)
  }
  return {
    tell(key) {
      const known = paces.get(key)
      const pace = known ?? { spent: 0, waits: false }
      if (known === undefined) {
        paces.set(key, pace)
        giveBackLater(key)
      }
      if (pace.spent < atOnce) sendNow(key, pace)
      else pace.waits = true
    },
    flush(keys) {
      for (const key of keys) {
        const pace = paces.get(key)
        if (pace?.waits === true) sendNow(key, pace)
      }
    },
  }
}
