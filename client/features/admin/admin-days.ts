/** Today, as a date field writes it, where the admin is. */
export function todayHere(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** The last second of a day of a date field, where the admin is; undefined for none, one that is over, or a year nobody means. */
export function endOfDay(day: string): Date | undefined {
  const end = new Date(`${day}T23:59:59`)
  return end > new Date() ? end : undefined
}
