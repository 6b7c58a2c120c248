/** Returns the date in UTC, `days` from today, such as `2026-11-29`. */
export const utcDate = (days = 0): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Calls `act` with today's date in UTC, and calls it again if that day ends meanwhile. Returns what the last call returned. */
export async function withinOneDay<Result>(act: (today: string) => Promise<Result>): Promise<Result> {
  const today = utcDate()
  const result = await act(today)
  return utcDate() === today ? result : act(utcDate())
}
