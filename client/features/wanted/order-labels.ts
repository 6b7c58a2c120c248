import { serverNow } from '#client/lib/live/connection.ts'
import { formatMileage, formatMonthDay } from '#client/ui/format.ts'
import { emptyFind, type FindQuery, findSearch } from '#shared/find-query.ts'
import { renewableDays, unansweredMax } from '#shared/constants/wanted.ts'
import type { BuyOrder, OrderSearch } from '#shared/schemas/wanted.ts'
import { drives, traitLabels } from '#shared/vehicle-traits.ts'

type Years = Pick<OrderSearch, 'yearFrom' | 'yearTo'>

function yearsText({ yearFrom, yearTo }: Years): string {
  if (yearFrom !== null && yearTo !== null) return yearFrom === yearTo ? String(yearFrom) : `${yearFrom}–${yearTo}`
  if (yearFrom !== null) return `${yearFrom} and newer`
  return yearTo === null ? '' : `up to ${yearTo}`
}

/** Returns a title such as `2019–2021 Ford F-150 XLT, Lariat`. */
export const orderTitle = (order: Pick<OrderSearch, 'make' | 'model' | 'trims'> & Years): string =>
  [yearsText(order), order.make, order.model, order.trims.join(', ')].filter(Boolean).join(' ')

/** Returns a title for lists of many models, such as `Ford F-150 XLT, 2019–2021`. */
export const modelTitle = ({
  make,
  model,
  trims,
  ...years
}: Pick<OrderSearch, 'make' | 'model' | 'trims'> & Years): string =>
  [[make, model, trims.join(', ')].filter(Boolean).join(' '), yearsText(years)].filter(Boolean).join(', ')

export const orderTerms = ({ milesMax, within, near, drive, photosOnly }: OrderSearch): string[] => [
  `under ${formatMileage(milesMax)}`,
  ...(within === null || near === '' ? [] : [`within ${formatMileage(within)}`]),
  ...(drive === null ? [] : [traitLabels[drive]]),
  ...(photosOnly ? ['with photos'] : []),
]

export function findPath(order: OrderSearch): string {
  const { make, model, trims, yearFrom, yearTo, near, within } = order
  const words = trims.length === 0 ? [{ make, model }] : trims.map((trim) => ({ make, model, trim }))
  const search = findSearch({
    ...emptyFind,
    mmt: words,
    year: { ...(yearFrom !== null && { from: yearFrom }), ...(yearTo !== null && { to: yearTo }) },
    miles: { to: order.milesMax },
    near,
    ...(near !== '' && within !== null && { within }),
    drive: order.drive === null ? [] : [order.drive],
    photos: order.photosOnly,
  })
  return `/find?${search}`
}

/** Returns the values that a search in Find prefills in a new order: only its first model, with all trims of that model. */
export function ofFind({ mmt, year, price, miles, near, within, drive, photos }: FindQuery) {
  const [first] = mmt
  const trims = mmt.flatMap(({ make, model, trim }) =>
    trim && make === first?.make && model === first.model ? [trim] : [],
  )
  return {
    make: first?.make ?? '',
    model: first?.model ?? '',
    trims,
    yearFrom: year.from ?? null,
    yearTo: year.to ?? null,
    milesMax: miles.to ?? null,
    price: price.to ?? null,
    near,
    within: within ?? null,
    drive: drives.find((one) => drive.length === 1 && drive[0] === one) ?? null,
    photosOnly: photos,
  }
}

const dayMs = 24 * 3_600_000

/** True if the order has ended or ends soon. Renewing it earlier would not change anything. */
export const isRenewable = ({ state, expiresAt }: BuyOrder): boolean =>
  state === 'ended' || Date.parse(expiresAt) - serverNow() <= renewableDays * dayMs

/** True if the dealer's plan paused the order. Only a plan change can resume it. */
export const isPausedForPlan = ({ state, pauseReason }: BuyOrder): boolean =>
  state === 'paused' && pauseReason === 'plan'

export function stateTexts({ state, pauseReason, expiresAt, nextMonthAt, timeZone }: BuyOrder): {
  label: string
  detail: string
} {
  if (state === 'active') return { label: 'Active', detail: `until ${formatMonthDay(expiresAt)}` }
  if (state === 'filled') return { label: 'Filled', detail: `resumes ${formatMonthDay(nextMonthAt, timeZone)}` }
  if (state === 'ended') return { label: 'Ended', detail: '' }
  const why = { self: '', unanswered: `${unansweredMax} matches unanswered`, plan: 'needs a paid plan' }
  return { label: 'Paused', detail: why[pauseReason ?? 'self'] }
}
