import type { Caller } from './app.ts'

/** Returns the date in UTC, `days` from today, such as `2026-11-29`. */
export const utcDate = (days = 0): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Calls `act` with today's date in UTC, and calls it again if that day ends meanwhile. Returns what the last call returned. */
export async function withinOneDay<Result>(act: (today: string) => Promise<Result>): Promise<Result> {
  const today = utcDate()
  const result = await act(today)
  return utcDate() === today ? result : act(utcDate())
}

/** Returns a time zone where it is about noon, so that no day or month ends during a test. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours()
  // POSIX inverts the sign: Etc/GMT-5 is five hours ahead of UTC.
  return ahead > 0 ? `Etc/GMT-${ahead}` : `Etc/GMT+${-ahead}`
}

/** Gives a dealer a time zone where it is about noon. */
export async function setNoonZone(caller: Caller): Promise<void> {
  const quietHours = { on: false, from: '22:00', to: '07:00', timeZone: noonZone() }
  const { status } = await caller.patch('/api/settings', { quietHours })
  if (status !== 200) throw new Error(`the time zone was refused: ${status}`)
}
