const locale = 'en-US'

/** Formatters for a locale. The optional `timeZone` of their results defaults to the reader's time zone. */
export function formatsOf(locale: string) {
  const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)
  const usd = { style: 'currency', currency: 'USD' } as const
  const wholeMoney = numbers({ ...usd, maximumFractionDigits: 0 })
  const exactMoney = numbers(usd)
  const compactMoney = numbers({ ...usd, notation: 'compact', maximumFractionDigits: 1 })
  const wholeNumber = numbers({ maximumFractionDigits: 0 })

  const made = new Map<string, Intl.DateTimeFormat>()
  const dates =
    (options: Intl.DateTimeFormatOptions) =>
    (at: string | Date, timeZone?: string): string => {
      const key = JSON.stringify([options, timeZone])
      const format = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
      made.set(key, format)
      return format.format(new Date(at))
    }
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
  const clock = { hour: 'numeric', minute: '2-digit' } as const
  const formatDate = dates(day)

  return {
    /** Returns `$24,500` for 24500 and `$24,500.50` for 24500.5. `exact` always shows cents, as on receipts; `compact` returns `$2.1M`. */
    formatMoney(dollars: number, style?: 'exact' | 'compact'): string {
      if (style === 'compact') return compactMoney.format(dollars)
      const hasCents = Math.round(dollars * 100) % 100 !== 0
      return (style === 'exact' || hasCents ? exactMoney : wholeMoney).format(dollars)
    },
    formatNumber: (value: number): string => wholeNumber.format(value),
    formatMileage: (miles: number): string => `${wholeNumber.format(miles)} mi`,
    formatDate,
    /** Formats a date without a time, such as `2026-11-21`. Uses noon, because midnight UTC is still the previous day in the US. */
    formatDay: (date: string): string => formatDate(`${date}T12:00:00`),
    formatMonthDay: dates({ month: 'short', day: 'numeric' }),
    formatLongDate: dates({ year: 'numeric', month: 'long', day: 'numeric' }),
    formatMonth: dates({ month: 'short' }),
    formatWeekday: dates({ weekday: 'short' }),
    formatDateTime: dates({ ...day, ...clock }),
    formatTime: dates(clock),
    formatExactTime: dates({ ...clock, second: '2-digit' }),
  }
}

export const {
  formatMoney,
  formatNumber,
  formatMileage,
  formatDate,
  formatDay,
  formatMonthDay,
  formatLongDate,
  formatMonth,
  formatWeekday,
  formatDateTime,
  formatTime,
  formatExactTime,
} = formatsOf(locale)

interface NamedVehicle {
  year: number | string | null
  make: string | null
  model: string | null
  trim?: string | null
}

/** Returns `2021 Ford F-150 XLT`, or as much of this name as is known. */
export const formatVehicle = ({ year, make, model, trim }: NamedVehicle): string =>
  [year, make, model, trim].filter((part) => String(part ?? '').trim() !== '').join(' ')

/** Returns the noun without the number, for sentences that format the number in another way. */
export const nounOf = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** Formats a count with its noun: `1 bid`, `2,000 bids`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${nounOf(count, one, many)}`
