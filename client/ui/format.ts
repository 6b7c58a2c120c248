import { formatDate, formatMonthDay, formatNumber, formatTime, formatWeekday, plural } from '#shared/format.ts'
import { searchTotalMax } from '#shared/limits.ts'

export {
  formatDate,
  formatDateTime,
  formatDay,
  formatExactTime,
  formatMileage,
  formatMoney,
  formatMonth,
  formatMonthDay,
  formatNumber,
  formatTime,
  formatVehicle,
  formatWeekday,
  nounOf,
  plural,
} from '#shared/format.ts'

const bytesPerKb = 1_000
const bytesPerMb = 1_000_000
const bytesPerGb = 1_000_000_000

/** Formats a file size: `3 KB` for 3100, `1.2 MB` for 1240000, `12.0 GB` for 12000000000. */
export function formatBytes(bytes: number): string {
  if (bytes >= bytesPerGb) return `${(bytes / bytesPerGb).toFixed(1)} GB`
  if (bytes >= bytesPerMb) return `${(bytes / bytesPerMb).toFixed(1)} MB`
  return `${Math.max(1, Math.round(bytes / bytesPerKb))} KB`
}

export function formatRating(rating: number): string {
  return rating.toFixed(1)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Returns `now`, `12 min ago`, `3 h ago` or `2 d ago`, and after a week the date. Returns `now` for a time in the future. */
export function formatRelativeTime(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso)
  if (ageMs < minuteMs) return 'now'
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h ago`
  if (ageMs < 7 * dayMs) return `${Math.floor(ageMs / dayMs)} d ago`
  return formatDate(iso)
}

/** Returns `Today 10:00 AM`, `Tomorrow 10:00 AM` or `Sat 10:00 AM`. From a week ahead, returns the date instead of the weekday. */
export function formatWhen(iso: string, nowMs: number): string {
  const day = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)
  const days = Math.round((day(Date.parse(iso)) - day(nowMs)) / dayMs)
  if (days <= 0) return `Today ${formatTime(iso)}`
  if (days === 1) return `Tomorrow ${formatTime(iso)}`
  return `${days < 7 ? formatWeekday(iso) : formatMonthDay(iso)} ${formatTime(iso)}`
}

/** Formats seconds as `1:12` or `1:02:05`. Formats negative values as `0:00`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** Returns a duration such as `42 minutes`, `3 hours` or `2 days`. The minimum is one minute. */
export function formatDuration(ms: number): string {
  if (ms < 2 * hourMs) return plural(Math.max(1, Math.round(ms / minuteMs)), 'minute')
  if (ms < 2 * dayMs) return plural(Math.round(ms / hourMs), 'hour')
  return plural(Math.round(ms / dayMs), 'day')
}

export function formatPlace(place: { city?: string | null | undefined; state?: string | null | undefined }): string {
  return [place.city, place.state].filter(Boolean).join(', ')
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Formats a total. In searches, the server counts only up to a limit. Beyond it, `number` is -1, as in `aria-setsize`. */
export function formatTotal(total: number, search: string): { text: string; number: number } {
  return search.trim() === '' || total <= searchTotalMax
    ? { text: formatNumber(total), number: total }
    : { text: `${formatNumber(searchTotalMax)}+`, number: -1 }
}
