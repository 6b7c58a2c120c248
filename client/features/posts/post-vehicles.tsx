import { Ellipsis } from 'lucide-react'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuChoice } from '#client/ui/menu.tsx'
import type { PostDetail, Vehicle, VehicleStatus } from '#shared/schemas/posts.ts'
import { usePatchPost } from './post-edits.api.ts'
import { vehicleName } from './posts.rules.ts'
import type { ReactNode } from 'react'
import { StatusBadge } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { formatMileage, formatMoney, formatPlace } from '#client/ui/format.ts'
import { type Column, Table } from '#client/ui/table.tsx'

const options = [
  { value: 'available', label: 'Available' },
  { value: 'pending', label: 'Pending' },
  { value: 'sold', label: 'Sold' },
] as const

/** The seller sets the status of one vehicle. */
function VehicleStatusMenu({ postId, vehicle }: { postId: string; vehicle: Vehicle }) {
  const patch = usePatchPost(postId)
  const change = (status: VehicleStatus) => patch.mutate({ vehicle: { id: vehicle.id, status } })
  return (
    <Menu
      trigger={
        <IconButton
          label={`Change status of ${vehicleName(vehicle) || 'vehicle'}`}
          size="sm"
          icon={<Ellipsis size={18} />}
          disabled={patch.isPending}
        />
      }
    >
      <MenuChoice label="Vehicle status" value={vehicle.status} onChange={change} options={options} />
    </Menu>
  )
}

const dash = <span className="text-ink-3">Not given</span>

const columns: Column<Vehicle>[] = [
  {
    key: 'vehicle',
    title: 'Vehicle',
    cell: (vehicle) => (
      <>
        <span className="block font-semibold">{vehicleName(vehicle) || 'Vehicle'}</span>
        <span className="vin block text-ink-2">{vehicle.vin}</span>
        {vehicle.mileage === null ? null : (
          <span className="num block text-xs text-ink-2 md:hidden">{formatMileage(vehicle.mileage)}</span>
        )}
        {vehicle.notes ? <span className="block text-xs text-ink-2">{vehicle.notes}</span> : null}
        <span className="mt-1 flex flex-wrap items-center gap-2 md:hidden">
          {priceOf(vehicle)}
          <StatusBadge status={vehicle.status} />
        </span>
        {vehicle.atDealership === null ? null : (
          <span className="block text-xs text-ink-2">
            {vehicle.atDealership ? 'At dealership' : 'Not at dealership'}
          </span>
        )}
      </>
    ),
  },
  { key: 'color', title: 'Color', wideOnly: true, cell: (vehicle) => vehicle.color ?? dash },
  { key: 'place', title: 'Location', wideOnly: true, cell: (vehicle) => placeOf(vehicle) ?? dash },
  {
    key: 'mileage',
    title: 'Mileage',
    align: 'right',
    wideOnly: true,
    cell: (vehicle) => (vehicle.mileage === null ? dash : formatMileage(vehicle.mileage)),
  },
  { key: 'price', title: 'Price', align: 'right', wideOnly: true, cell: priceOf },
  { key: 'status', title: 'Status', wideOnly: true, cell: (vehicle) => <StatusBadge status={vehicle.status} /> },
]

function priceOf({ price }: Vehicle): ReactNode {
  return price === null ? dash : <b className="num font-semibold">{formatMoney(price)}</b>
}

function placeOf(vehicle: Vehicle): string | undefined {
  return vehicle.location ?? (formatPlace(vehicle) || undefined)
}

function statusColumn(postId: string): Column<Vehicle> {
  return {
    key: 'change',
    title: 'Change',
    hideTitle: true,
    cell: (vehicle) => <VehicleStatusMenu postId={postId} vehicle={vehicle} />,
  }
}

function actionColumn(cell: (vehicle: Vehicle) => ReactNode): Column<Vehicle> {
  return { key: 'actions', title: 'Actions', hideTitle: true, align: 'right', cell }
}

interface PostVehiclesProps {
  post: PostDetail
  /** The seller may change a vehicle's status. */
  own: boolean
  /** What another feature offers per vehicle, such as making an offer. */
  renderAction?: ((vehicle: Vehicle) => ReactNode) | undefined
}

/** Every vehicle of a post, one row each. */
export function PostVehicles({ post, own, renderAction }: PostVehiclesProps) {
  if (post.vehicles.length === 0) return null
  const others = renderAction ? [actionColumn(renderAction)] : []
  const actions = own ? [statusColumn(post.id)] : others
  return (
    <Card className="mt-3 overflow-hidden" aria-labelledby="post-vehicles">
      <CardHeader id="post-vehicles" title="Vehicles">
        <Count value={post.vehicles.length} tone="quiet" />
      </CardHeader>
      <Table
        caption="Vehicles of this post"
        columns={[...columns, ...actions]}
        rows={post.vehicles}
        rowKey={(vehicle) => vehicle.id}
      />
    </Card>
  )
}
