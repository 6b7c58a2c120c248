const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short' })
const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs

/** `now`, the time today, the weekday this week, then the date: what a list has room for. */
export function shortTime(iso: string): string {
  const at = new Date(iso)
  const ageMs = Date.now() - at.getTime()
  if (ageMs < minuteMs) return 'now'
  if (at.toDateString() === new Date().toDateString()) return clock.format(at)
  return ageMs < weekMs ? weekday.format(at) : date.format(at)
}
