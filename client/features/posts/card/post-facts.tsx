import type { ReactNode } from 'react'
import { cx } from '#client/ui/cx.ts'
import { formatMileage, formatMoney } from '#client/ui/format.ts'
import type { Post, Vehicle } from '#shared/schemas/posts.ts'

const notGiven = 'Not given'

interface PostFactsProps {
  post: Post
  beside?: boolean
  children?: ReactNode
}

export function PostFacts({ post, beside = false, children }: PostFactsProps) {
  const vehicle = post.vehicles[0]
  if (post.vehicleCount !== 1 || !vehicle) return null
  return (
    <div
      className={cx(
        'flex items-center justify-between gap-3',
        children ? 'min-h-7' : undefined,
        beside && '@xl/card:flex-col @xl/card:items-start',
      )}
    >
      <VehicleFacts vehicle={vehicle} beside={beside} />
      {children ? <div className="flex-none">{children}</div> : null}
    </div>
  )
}

function VehicleFacts({ vehicle, beside }: { vehicle: Vehicle; beside: boolean }) {
  const price = vehicle.price === null ? notGiven : formatMoney(vehicle.price)
  return (
    <dl
      className={cx(
        'flex min-w-0 flex-wrap items-baseline gap-x-5 gap-y-1 max-md:gap-x-4',
        beside && '@xl/card:flex-col',
      )}
    >
      <Fact label="Price" value={price} large={beside && vehicle.price !== null} />
      <Fact label="Mileage" value={vehicle.mileage === null ? notGiven : formatMileage(vehicle.mileage)} />
      {vehicle.vin ? <Fact label="VIN" value={vehicle.vin} mono /> : null}
      {vehicle.atDealership === null ? null : (
        <Fact label="At dealership" value={vehicle.atDealership ? 'Yes' : 'No'} />
      )}
    </dl>
  )
}

interface FactProps {
  label: string
  value: string
  mono?: boolean
  large?: boolean
}

function Fact({ label, value, mono = false, large = false }: FactProps) {
  const weight = mono ? 'vin font-medium' : 'num font-semibold'
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className={cx(weight, large && 'text-lg tracking-lg')}>{value}</dd>
    </div>
  )
}
