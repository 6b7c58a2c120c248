import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { StatusBadge } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatMileage, formatMoney, formatPlace, formatVehicle } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuChoice } from '#client/ui/menu.tsx'
import { Thumbnail } from '#client/ui/thumbnail.tsx'
import type { PostDetail, Vehicle, VehicleStatus } from '#shared/schemas/posts.ts'
import { usePatchPost } from '../post-edits.api.ts'

const options = [
  { value: 'available', label: 'Available' },
  { value: 'pending', label: 'Pending' },
  { value: 'sold', label: 'Sold' },
] as const

function VehicleStatusMenu({ postId, vehicle }: { postId: string; vehicle: Vehicle }) {
  const patch = usePatchPost(postId)
  const change = (status: VehicleStatus) => patch.mutate({ vehicle: { id: vehicle.id, status } })
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Change status of ${formatVehicle(vehicle) || 'vehicle'}`}
            size="sm"
            icon={<Ellipsis size={18} />}
            disabled={patch.isPending}
          />
        }
      >
        <MenuChoice label="Vehicle status" value={vehicle.status} onChange={change} options={options} />
      </Menu>
      {patch.question}
    </>
  )
}

const dash = <span className="text-ink-3">Not given</span>

// Container queries on the width of the list, because the list is narrow between two columns of the page.
const head = 'border-b border-line bg-sunken px-3 py-2 text-left text-xs font-medium whitespace-nowrap text-ink-2'
const cell = 'p-0 @2xl/vehicles:px-3 @2xl/vehicles:py-2 @2xl/vehicles:align-middle'
const fromMileage = 'hidden @3xl/vehicles:table-cell'
const fromPlace = 'hidden @4xl/vehicles:table-cell'

const priceOf = ({ price }: Vehicle): ReactNode =>
  price === null ? dash : <b className="num font-semibold">{formatMoney(price)}</b>

const placeOf = (vehicle: Vehicle): string | undefined => vehicle.location ?? (formatPlace(vehicle) || undefined)

/** A fact with a `className` is hidden on lists that are wide enough to have a column for it. */
function factsOf(vehicle: Vehicle): { text: string; className?: string }[] {
  const { mileage, color, atDealership } = vehicle
  const place = placeOf(vehicle)
  return [
    ...(mileage === null ? [] : [{ text: formatMileage(mileage), className: 'num @3xl/vehicles:hidden' }]),
    ...(place === undefined ? [] : [{ text: place, className: '@4xl/vehicles:hidden' }]),
    ...(color === null ? [] : [{ text: color }]),
    ...(atDealership === null ? [] : [{ text: atDealership ? 'At dealership' : 'Not at dealership' }]),
  ]
}

function VehicleFacts({ vehicle }: { vehicle: Vehicle }) {
  return (
    <span className="flex flex-wrap gap-x-2 text-xs text-ink-2">
      {factsOf(vehicle).map(({ text, className }) => (
        <span key={text} className={className}>
          {text}
        </span>
      ))}
    </span>
  )
}

interface VehicleRowProps {
  vehicle: Vehicle
  photo: string | undefined
  /** True for the vehicle that the URL names. */
  isLinked: boolean
  action: ReactNode
}

function VehicleRow({ vehicle, photo, isLinked, action }: VehicleRowProps) {
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isLinked) row.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  return (
    <tr
      ref={row}
      aria-current={isLinked || undefined}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 hover:bg-hover aria-[current]:bg-accent-soft @2xl/vehicles:table-row"
    >
      <td className={cx(cell, 'flex-none @2xl/vehicles:pl-4')}>
        <Thumbnail src={photo} />
      </td>
      <td className={cx(cell, 'min-w-0 flex-1 basis-[calc(100%-6rem)] wrap-anywhere @2xl/vehicles:w-full')}>
        <span className="block font-semibold">{formatVehicle(vehicle) || 'Vehicle'}</span>
        <span className="vin block text-ink-2">{vehicle.vin}</span>
        <VehicleFacts vehicle={vehicle} />
        {vehicle.notes ? <span className="block text-xs text-ink-2">{vehicle.notes}</span> : null}
      </td>
      <td className={cx(cell, fromPlace)}>{placeOf(vehicle) ?? dash}</td>
      <td className={cx(cell, fromMileage, 'num text-right whitespace-nowrap')}>
        {vehicle.mileage === null ? dash : formatMileage(vehicle.mileage)}
      </td>
      <td className={cx(cell, 'whitespace-nowrap @2xl/vehicles:text-right')}>{priceOf(vehicle)}</td>
      <td className={cell}>
        <StatusBadge status={vehicle.status} />
      </td>
      {action === undefined ? null : (
        <td className={cx(cell, 'ml-auto text-right whitespace-nowrap @2xl/vehicles:pr-4')}>{action}</td>
      )}
    </tr>
  )
}

interface PostVehiclesProps {
  post: PostDetail
  own: boolean
  renderAction?: ((vehicle: Vehicle) => ReactNode) | undefined
}

export function PostVehicles({ post, own, renderAction }: PostVehiclesProps) {
  const [params] = useSearchParams()
  const several = post.vehicles.length > 1
  if (post.vehicles.length === 0) return null
  const hasActions = own || renderAction !== undefined
  const actionOf = (vehicle: Vehicle): ReactNode => {
    if (own) return <VehicleStatusMenu postId={post.id} vehicle={vehicle} />
    return renderAction ? (renderAction(vehicle) ?? null) : undefined
  }
  // With several vehicles, it is unknown which one the post's photos show.
  const [postPhoto] = several ? [] : post.photoUrls
  return (
    <Card className="@container/vehicles mt-3 overflow-hidden" aria-labelledby="post-vehicles">
      <CardHeader id="post-vehicles" title="Vehicles">
        <Count value={post.vehicles.length} tone="quiet" />
      </CardHeader>
      <table className="block w-full border-collapse border-t border-line text-sm @2xl/vehicles:table @2xl/vehicles:border-t-0">
        <caption className="sr-only">Vehicles of this post</caption>
        <thead className="sr-only @2xl/vehicles:not-sr-only @2xl/vehicles:table-header-group">
          <tr>
            <th scope="col" className={cx(head, 'pl-4')}>
              <span className="sr-only">Photo</span>
            </th>
            <th scope="col" className={head}>
              Vehicle
            </th>
            <th scope="col" className={cx(head, fromPlace)}>
              Location
            </th>
            <th scope="col" className={cx(head, fromMileage, 'text-right')}>
              Mileage
            </th>
            <th scope="col" className={cx(head, 'text-right')}>
              Price
            </th>
            <th scope="col" className={head}>
              Status
            </th>
            {hasActions ? (
              <th scope="col" className={cx(head, 'pr-4')}>
                <span className="sr-only">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody className="block @2xl/vehicles:table-row-group">
          {post.vehicles.map((vehicle) => (
            <VehicleRow
              key={vehicle.id}
              vehicle={vehicle}
              photo={vehicle.photos[0] ?? postPhoto}
              isLinked={several && params.get('vehicle') === vehicle.id}
              action={actionOf(vehicle)}
            />
          ))}
        </tbody>
      </table>
    </Card>
  )
}
