/** Returns today's date in the admin's time zone, in the format of a date field. */
export function todayHere(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Returns the end of a day in the admin's time zone. Returns undefined if the day is empty or in the past. */
export function endOfDay(day: string): Date | undefined {
  const end = new Date(`${day}T23:59:59`)
  return end > new Date() ? end : undefined
}
