/** Lets the first of a key through at once and then at most one in `everyMs`: the newest, by its number. */
export function createNewestWins<T>(everyMs: number, numberOf: (value: T) => number, send: (value: T) => void) {
  const lanes = new Map<string, { waiting: T | undefined; sent: number }>()
  const release = (key: string) => {
    const lane = lanes.get(key)
    if (lane?.waiting === undefined) {
      lanes.delete(key)
      return
    }
    const { waiting } = lane
    lane.waiting = undefined
    lane.sent = numberOf(waiting)
    setTimeout(release, everyMs, key).unref()
    send(waiting)
  }
  return (key: string, value: T) => {
    const lane = lanes.get(key)
    if (lane === undefined) {
      lanes.set(key, { waiting: undefined, sent: numberOf(value) })
      setTimeout(release, everyMs, key).unref()
      send(value)
    } else if (numberOf(value) > Math.max(lane.sent, lane.waiting === undefined ? -1 : numberOf(lane.waiting)))
      lane.waiting = value
  }
}
