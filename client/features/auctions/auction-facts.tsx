import { cx } from '#client/ui/cx.ts'
import { formatMileage, formatMoney, formatPlace } from '#client/ui/format.ts'
import type { Post } from '#shared/schemas/posts.ts'

const wideSpans = ['', 'md:col-span-4', 'md:col-span-3', 'md:col-span-2']
/** The last fact takes what is left of its row, in two columns and in four. */
const lastSpans = (count: number) => cx(count % 2 === 1 && 'max-md:col-span-2', wideSpans[count % 4])

const textOf = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? undefined : format(value)

/** What is sold, by whom and where. */
export function AuctionFacts({ post }: { post: Post }) {
  const vehicle = post.vehicles[0]
  const facts = [
    { label: 'VIN', value: vehicle?.vin, className: 'vin' },
    { label: 'Mileage', value: textOf(vehicle?.mileage, formatMileage) },
    { label: 'Color', value: vehicle?.color },
    { label: 'Price', value: textOf(vehicle?.price, formatMoney) },
    { label: 'Seller', value: post.dealer.dealershipName || post.dealer.name },
    { label: 'Location', value: formatPlace(vehicle ?? post.dealer) },
    { label: 'Facilitator', value: post.auctionFacilitator },
    { label: 'Trim', value: vehicle?.trim },
  ].filter(({ value }) => Boolean(value))
  const last = facts.at(-1)
  return (
    <dl className="grid flex-none grid-cols-4 gap-px overflow-hidden rounded-md border border-line bg-line max-md:grid-cols-2">
      {facts.map(({ label, value, className }) => (
        <div
          key={label}
          className={cx('min-w-0 bg-raised px-3 py-2', label === last?.label && lastSpans(facts.length))}
        >
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd className={className ?? 'num truncate font-semibold'}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
