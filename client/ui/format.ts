import { searchTotalMax } from '#shared/limits.ts'

const locale = 'en-US'
const wholeMoney = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const exactMoney = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
const compactMoney = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const wholeNumber = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const date = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' })
const dateAndTime = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const clockTime = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })

const hasCents = (dollars: number) => Math.round(dollars * 100) % 100 !== 0

/**
 * Dollars as on the wire: `24500` is `$24,500`, `24500.5` is `$24,500.50`. `exact` writes the cents always (receipts), `compact` is
 * `$2.1M`.
 */
export function formatMoney(dollars: number, style?: 'exact' | 'compact'): string {
  if (style === 'compact') return compactMoney.format(dollars)
  return (style === 'exact' || hasCents(dollars) ? exactMoney : wholeMoney).format(dollars)
}

/** `48210` is `48,210 mi`. */
export function formatMileage(miles: number): string {
  return `${wholeNumber.format(miles)} mi`
}

/** `8914` is `8,914`. */
export function formatNumber(value: number): string {
  return wholeNumber.format(value)
}

const bytesPerKb = 1_000
const bytesPerMb = 1_000_000

/** `3100` is `3 KB`, `1240000` is `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes >= bytesPerMb) return `${(bytes / bytesPerMb).toFixed(1)} MB`
  return `${Math.max(1, Math.round(bytes / bytesPerKb))} KB`
}

/** One decimal, always: a rating. */
export function formatRating(rating: number): string {
  return rating.toFixed(1)
}

/** `Nov 21, 2026`. */
export function formatDate(iso: string): string {
  return date.format(new Date(iso))
}

/** A day without a time, `2026-11-21`, is that day everywhere: west of UTC its midnight is still the day before. */
export function formatDay(day: string): string {
  return date.format(new Date(`${day}T12:00:00`))
}

/** `Nov 21, 2026, 9:41 AM`. */
export function formatDateTime(iso: string): string {
  return dateAndTime.format(new Date(iso))
}

/** `9:41 AM`. */
export function formatTime(iso: string): string {
  return clockTime.format(new Date(iso))
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** `now`, `12 min ago`, `3 h ago`, `2 d ago`, then the date. A clock that runs ahead shows `now`. */
export function formatRelativeTime(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso)
  if (ageMs < minuteMs) return 'now'
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h ago`
  if (ageMs < 7 * dayMs) return `${Math.floor(ageMs / dayMs)} d ago`
  return formatDate(iso)
}

/** Seconds as `1:12` or `1:02:05`; never below `0:00`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** How long something lasted: `42 minutes`, `3 hours`, `2 days`; a minute at least. */
export function formatDuration(ms: number): string {
  if (ms < 2 * hourMs) return plural(Math.max(1, Math.round(ms / minuteMs)), 'minute')
  if (ms < 2 * dayMs) return plural(Math.round(ms / hourMs), 'hour')
  return plural(Math.round(ms / dayMs), 'day')
}

/** `Dallas, TX`; either part may be missing. */
export function formatPlace(place: { city?: string | null | undefined; state?: string | null | undefined }): string {
  return [place.city, place.state].filter(Boolean).join(', ')
}

/** `independent` is `Independent`. */
export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The noun alone, where the number is said in another way. */
export const nounOf = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** `1 bid`, `2 bids`, with the number grouped. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber.format(count)} ${nounOf(count, one, many)}`
}

/** A search is counted up to a limit only: beyond it there is a text, but no number (-1, as `aria-setsize` says it). */
export function formatTotal(total: number, search: string): { text: string; number: number } {
  return search.trim() === '' || total <= searchTotalMax
    ? { text: formatNumber(total), number: total }
    : { text: `${formatNumber(searchTotalMax)}+`, number: -1 }
}
