export interface Paced {
  tell(key: string): void
  flush(keys: Iterable<string>): void
}

/** `atOnce` calls immediately (default 2), then at most one per `everyMs`. */
export interface Pace {
  everyMs: number
  atOnce?: number
}

/** Throttles `send` per key. The last request is always followed by a call. */
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
