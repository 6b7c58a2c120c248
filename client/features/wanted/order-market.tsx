import { useQuery } from '@tanstack/react-query'
import Info from 'lucide-react/icons/info'
import { useMemo } from 'react'
import { typedAmount } from '#client/lib/form/typed-amount.ts'
import { useDebounced } from '#client/lib/form/use-debounced.ts'
import { formatMoney, formatNumber, plural } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { lowPriceShare } from '#shared/constants/wanted.ts'
import type { OrderPreview, OrderSearch } from '#shared/schemas/wanted.ts'
import { type OrderWords, searchOf } from './order-draft.ts'
import { previewQuery } from './wanted.api.ts'

const settleMs = 400

export function Market({ words }: { words: OrderWords }) {
  const settled = useDebounced(JSON.stringify(searchOf(words) ?? null), settleMs)
  const search = useMemo(() => JSON.parse(settled) as OrderSearch | null, [settled])
  const preview = useQuery({
    ...previewQuery(search ?? ({} as OrderSearch)),
    enabled: search !== null,
    placeholderData: (before) => before,
  })
  const price = typedAmount(words.price)
  return (
    <div className="space-y-4">
      {search === null ? (
        <p className="text-ink-2">Enter a make and model to see current listings and recent sales.</p>
      ) : null}
      <QueryError query={preview} failure="Figures could not be loaded" />
      {search !== null && preview.isPending ? (
        <Loading label="Loading figures">
          <SkeletonRows rows={3} />
        </Loading>
      ) : null}
      {search !== null && preview.data ? <MarketFigures preview={preview.data} price={price} /> : null}
      <p className="flex items-start gap-2 text-xs text-ink-2">
        <Info size={14} className="mt-px flex-none" aria-hidden="true" />
        <span>
          Sellers with a matching car see {price === undefined ? 'your price' : formatMoney(price)}, your distance and
          rating.{' '}
          {words.showName ? 'They see your dealership’s name.' : 'Your name stays hidden until an offer is made.'}
        </span>
      </p>
    </div>
  )
}

function MarketFigures({ preview, price }: { preview: OrderPreview; price: number | undefined }) {
  const { onOffer, newIn7Days, askedQuartiles, sold90, placeKnown } = preview
  const [low = 0, median = 0, high = 0] = askedQuartiles ?? []
  const isLow = askedQuartiles !== null && price !== undefined && price < median * lowPriceShare
  return (
    <>
      <dl className="num space-y-3" aria-live="polite">
        <Figure
          name="For sale now"
          value={plural(onOffer, 'vehicle')}
          note={`${formatNumber(newIn7Days)} new in the last 7 days`}
        />
        {askedQuartiles ? (
          <Figure
            name="Asking price"
            value={formatMoney(median)}
            note={`half are between ${formatMoney(low)} and ${formatMoney(high)}`}
          />
        ) : (
          <Figure name="Asking price" value="–" note="Not enough data" />
        )}
        {sold90 ? (
          <Figure
            name="Sold here, last 90 days"
            value={formatNumber(sold90.count)}
            note={`median ${formatMoney(sold90.median)}`}
          />
        ) : (
          <Figure name="Sold here, last 90 days" value="–" note="Not enough data" />
        )}
      </dl>
      {placeKnown ? null : (
        <p className="text-warning-ink">
          We don't recognize this ZIP or postal code. Enter another one to save the order.
        </p>
      )}
      {isLow ? (
        <p role="status" className="text-warning-ink">
          That is less than 40% of the median asking price. Sellers see your price, and our moderators review orders
          like this.
        </p>
      ) : null}
    </>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="text-lg font-semibold tracking-lg">{value}</dd>
      <dd className="text-xs text-ink-2">{note}</dd>
    </div>
  )
}
