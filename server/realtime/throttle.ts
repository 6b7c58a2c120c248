export interface Paced {
  request(key: string): void
  flush(keys: Iterable<string>): void
}

/** Per key, allows `atOnce` calls immediately (default 2), then at most one call every `everyMs`. */
export interface Pace {
  everyMs: number
  atOnce?: number
}

/** Throttles `send` per key. Never drops the last request: a call follows it, immediately or later. */
export function createPaced({ everyMs, atOnce = 2 }: Pace, send: (key: string) => void): Paced {
  const paces = new Map<string, { spent: number; isWaiting: boolean }>()
  const sendNow = (key: string, pace: { spent: number; isWaiting: boolean }) => {
    pace.isWaiting = false
    pace.spent += 1
    send(key)
  }
  const releaseLater = (key: string) => void setTimeout(release, everyMs, key).unref()
  const release = (key: string) => {
    const pace = paces.get(key)
    if (pace === undefined) return
    pace.spent -= 1
    if (pace.spent === 0 && !pace.isWaiting) return void paces.delete(key)
    releaseLater(key)
    if (pace.isWaiting) sendNow(key, pace)
  }
  return {
    request(key) {
      const known = paces.get(key)
      const pace = known ?? { spent: 0, isWaiting: false }
      if (known === undefined) {
        paces.set(key, pace)
        releaseLater(key)
      }
      if (pace.spent < atOnce) sendNow(key, pace)
      else pace.isWaiting = true
    },
    flush(keys) {
      for (const key of keys) {
        const pace = paces.get(key)
        if (pace?.isWaiting === true) sendNow(key, pace)
      }
    },
  }
}
