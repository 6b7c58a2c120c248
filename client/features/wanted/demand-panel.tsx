import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatMileage, formatMoney, formatNumber, formatRating, nounOf, plural } from '#client/ui/format.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import type { Demand, DemandOrder, DemandRequest } from '#shared/schemas/wanted.ts'
import { checkDigitHolds } from '#shared/vin.ts'
import { demandQuery } from './wanted.api.ts'

const settleMs = 600

/** Undefined as long as it says too little to be asked for. */
function requestOf({
  vin = '',
  year,
  make = '',
  model = '',
  trim = '',
  mileage,
}: NewVehicle): DemandRequest | undefined {
  if (!checkDigitHolds(vin) || year === undefined || mileage === undefined) return undefined
  if (make.trim() === '' || model.trim() === '') return undefined
  return { vin, year, make: make.trim(), model: model.trim(), trim: trim.trim(), mileage, zip: '' }
}

/** Of the vehicle as it is typed, once the typing has settled; undefined where nobody wants it. */
function useDemand(vehicle: NewVehicle) {
  const [asked, setAsked] = useState<DemandRequest>()
  const text = JSON.stringify(requestOf(vehicle) ?? null)
  useEffect(() => {
    const timer = setTimeout(() => setAsked((JSON.parse(text) as DemandRequest | null) ?? undefined), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  const isCurrent = asked !== undefined && JSON.stringify(asked) === text
  const { data } = useQuery({ ...demandQuery(asked ?? ({} as DemandRequest)), enabled: asked !== undefined })
  return { asked, demand: isCurrent && data && data.dealers > 0 ? data : undefined }
}

interface DemandPanelProps {
  vehicle: NewVehicle
  /** The order that it is to be offered to when it is posted; undefined for none. */
  onChoose: (best: { vin: string; order: DemandOrder } | undefined) => void
}

/** In the dialog of posting: who wants the vehicle, once its VIN and mileage are there. Nothing where nobody does. */
export function DemandPanel({ vehicle, onChoose }: DemandPanelProps) {
  const { demand, asked } = useDemand(vehicle)
  const [offers, setOffers] = useState(false)
  const best = demand?.orders[0]
  const ref = offers ? best?.ref : undefined
  // What is posted empties the form before it is known to be posted: only a word of the dealer takes the choice back.
  const choose = useEffectEvent((chosen: string) => {
    if (best && asked) onChoose({ vin: asked.vin, order: { ...best, ref: chosen } })
  })
  useEffect(() => {
    if (ref !== undefined) choose(ref)
  }, [ref])
  const toggle = (on: boolean) => {
    setOffers(on)
    if (!on) onChoose(undefined)
  }
  if (!demand) return null
  return (
    <section aria-label="Demand for this vehicle" className="mb-4">
      <Summary demand={demand} />
      {demand.orders.length > 0 ? (
        <ul className="num mt-3 divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
          {demand.orders.map((order) => (
            <Terms key={order.ref} order={order} />
          ))}
        </ul>
      ) : null}
      {best ? (
        <div className="mt-3">
          <Checkbox checked={offers} onChange={toggle} label="Offer it to the best one when I post" />
          <p className="ml-6 text-xs text-ink-2">
            They have 24 hours to accept {formatMoney(best.price)}, and read your name. Everyone sees the post
            meanwhile.
          </p>
        </div>
      ) : null}
    </section>
  )
}

const whyWithheld: Record<NonNullable<Demand['withheld']>, string> = {
  order: 'You buy these too, so prices are not shown.',
  asked: 'You have asked for many vehicles that you did not post, so prices are not shown for now.',
}

function Summary({ demand: { dealers, perMonth, best, nearest, withheld } }: { demand: Demand }) {
  return (
    <div role="status" className="num rounded-md border border-accent-line bg-accent-soft p-3">
      <h3 className="text-md font-semibold">
        {plural(dealers, 'dealer')} {nounOf(dealers, 'wants', 'want')} this car
      </h3>
      <p className="text-pretty text-ink-2">
        {dealers === 1 ? 'They are' : 'All are'} told within seconds of your post.
        {best === null ? '' : ` Best ${formatMoney(best)}`}
        {nearest === null ? '' : `, nearest about ${formatMileage(nearest)}`}
        <DotSeparator />
        {formatNumber(perMonth)} a month{dealers === 1 ? '' : ' between them'}
      </p>
      {withheld === null ? null : <p className="text-ink-2">{whyWithheld[withheld]}</p>}
    </div>
  )
}

function Terms({ order: { price, miles, rating, perMonth, photosOnly, note, name } }: { order: DemandOrder }) {
  const facts = [
    ...(name === null ? [] : [name]),
    miles === null ? 'distance not stated' : `about ${formatMileage(miles)}`,
    ...(rating === null ? [] : [`rated ${formatRating(rating)}`]),
    `${perMonth} a month`,
    ...(photosOnly ? ['with photos'] : []),
  ]
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-3 px-3 py-2">
      <b className="text-md font-semibold">{formatMoney(price)}</b>
      <span className="text-xs text-ink-2">
        {facts.join(' · ')}
        {note === '' ? null : <span className="block">“{note}”</span>}
      </span>
    </li>
  )
}
