/** Written in one way on screens, in mails and in documents. Another language is another locale here. */
const locale = 'en-US'

/** How a locale writes numbers, money, distances and dates. `timeZone`: the reader's own unless it is named. */
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
    /**
     * Dollars as on the wire: `24500` is `$24,500`, `24500.5` is `$24,500.50`. `exact` writes the cents always (receipts), `compact`
     * is `$2.1M`.
     */
    formatMoney(dollars: number, style?: 'exact' | 'compact'): string {
      if (style === 'compact') return compactMoney.format(dollars)
      const hasCents = Math.round(dollars * 100) % 100 !== 0
      return (style === 'exact' || hasCents ? exactMoney : wholeMoney).format(dollars)
    },
    /** `8914` is `8,914`. */
    formatNumber: (value: number): string => wholeNumber.format(value),
    /** `48210` is `48,210 mi`. */
    formatMileage: (miles: number): string => `${wholeNumber.format(miles)} mi`,
    /** `Nov 21, 2026`. */
    formatDate,
    /** A day without a time, `2026-11-21`, is that day everywhere: west of UTC its midnight is still the day before. */
    formatDay: (date: string): string => formatDate(`${date}T12:00:00`),
    /** `Nov 21`. */
    formatMonthDay: dates({ month: 'short', day: 'numeric' }),
    /** `November 21, 2026`. */
    formatLongDate: dates({ year: 'numeric', month: 'long', day: 'numeric' }),
    /** `Nov`. */
    formatMonth: dates({ month: 'short' }),
    /** `Sat`. */
    formatWeekday: dates({ weekday: 'short' }),
    /** `Nov 21, 2026, 9:41 AM`. */
    formatDateTime: dates({ ...day, ...clock }),
    /** `9:41 AM`. */
    formatTime: dates(clock),
    /** `09:41:07`: where seconds decide. */
    formatExactTime: dates({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
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

/** `2021 Ford F-150 XLT`, of what is known; empty where nothing is. */
export const formatVehicle = ({ year, make, model, trim }: NamedVehicle): string =>
  [year, make, model, trim].filter((part) => String(part ?? '').trim() !== '').join(' ')

/** The noun alone, where the number is said in another way. */
export const nounOf = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** `1 bid`, `2 bids`, with the number grouped. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${nounOf(count, one, many)}`
