import type { ReactNode } from 'react'
import { formatMileage, formatMoney } from '#client/ui/format.ts'
import type { Post } from '#shared/schemas/posts.ts'

const notGiven = 'Not given'

/** Price, mileage and VIN where the post is about one vehicle, and at their end what can be done about it. */
export function PostFacts({ post, children }: { post: Post; children?: ReactNode }) {
  const vehicle = post.vehicles[0]
  if (post.vehicleCount !== 1 || !vehicle) return null
  return (
    <div className="mt-2 flex items-center justify-between gap-3">
      <dl className="flex min-w-0 flex-wrap gap-x-5 gap-y-1 max-md:gap-x-4">
        <Fact label="Price" value={vehicle.price === null ? notGiven : formatMoney(vehicle.price)} />
        <Fact label="Mileage" value={vehicle.mileage === null ? notGiven : formatMileage(vehicle.mileage)} />
        {vehicle.vin ? <Fact label="VIN" value={vehicle.vin} mono /> : null}
        {vehicle.atDealership === null ? null : (
          <Fact label="At dealership" value={vehicle.atDealership ? 'Yes' : 'No'} />
        )}
      </dl>
      {children ? <div className="flex-none">{children}</div> : null}
    </div>
  )
}

function Fact({ label, value, mono = false }: { label: string; value: string; mono?: boolean }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className={mono ? 'vin font-medium' : 'num font-semibold'}>{value}</dd>
    </div>
  )
}
