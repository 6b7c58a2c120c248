import type { QuietHours, Settings } from '#shared/schemas/settings.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60
/** A notice read within this time is never mailed, and notices close together share one mail. */
const mailDelayMs = 30_000
/** The daily digest's minute of the day, local to the dealer. */
const digestMinute = 8 * 60

function localMinute(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
    .formatToParts(at)
    .map(({ type, value }) => [type, Number(value)] as const)
  const { hour = 0, minute = 0 } = Object.fromEntries(parts) as { hour?: number; minute?: number }
  return hour * 60 + minute
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** The next time the dealer's clock shows that minute of the day. */
function nextAt(from: Date, minute: number, timeZone: string): Date {
  const wait = (minute - localMinute(from, timeZone) + dayMinutes) % dayMinutes || dayMinutes
  return new Date(Math.floor(from.getTime() / minuteMs) * minuteMs + wait * minuteMs)
}

/** Whether the dealer is not to be disturbed at that moment. From late to early spans midnight. */
export function isQuiet({ on, from, to, timeZone }: QuietHours, at: Date): boolean {
  if (!on || from === to) return false
  const now = localMinute(at, timeZone)
  const [start, end] = [minuteOf(from), minuteOf(to)]
  return start < end ? now >= start && now < end : now >= start || now < end
}

/** When a notice of this moment goes out by mail: soon, at the end of the quiet hours, or with the daily digest. */
export function mailDueAt({ emailDelivery, quietHours }: Settings, at: Date): Date {
  if (emailDelivery === 'daily') return nextAt(at, digestMinute, quietHours.timeZone)
  const soon = new Date(at.getTime() + mailDelayMs)
  return isQuiet(quietHours, soon) ? nextAt(soon, minuteOf(quietHours.to), quietHours.timeZone) : soon
}
