import { Ellipsis } from 'lucide-react'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuChoice } from '#client/ui/menu.tsx'
import type { Vehicle, VehicleStatus } from '#shared/schemas/posts.ts'
import { usePatchPost } from './post-edits.api.ts'
import { vehicleName } from './posts.rules.ts'

const options = [
  { value: 'available', label: 'Available' },
  { value: 'pending', label: 'Pending' },
  { value: 'sold', label: 'Sold' },
] as const

/** The seller sets the status of one vehicle. */
export function VehicleStatusMenu({ postId, vehicle }: { postId: string; vehicle: Vehicle }) {
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
