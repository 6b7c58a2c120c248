import BadgeCheck from 'lucide-react/icons/badge-check'
import Ban from 'lucide-react/icons/ban'
import Check from 'lucide-react/icons/check'
import Gavel from 'lucide-react/icons/gavel'
import KeyRound from 'lucide-react/icons/key-round'
import MoreHorizontal from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import Undo2 from 'lucide-react/icons/undo-2'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { AdminUser } from '#shared/schemas/admin.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#client/ui/menu.tsx'
import { useChangeApiAccess, useDeleteUser, useJudgeAdmission, useReinstateUser, useSuspendUser } from '../admin.api.ts'
import { useRestoreBidding } from '../dealer-file/admin-dealer.api.ts'
import { DeclineDialog } from './admin-decline-dialog.tsx'
import { EditUserDialog } from './admin-edit-user.tsx'
import { LicenseDialog } from './admin-license-dialog.tsx'
import { ReasonDialog, suspensionMeans } from '../admin-reason-dialog.tsx'

/** Lifts the bidding block of a dealer who canceled too many won auctions. */
function RestoreBidding({ user }: { user: AdminUser }) {
  const restore = useRestoreBidding()
  if (user.biddingStoppedAt === null) return null
  return (
    <MenuItem icon={<Gavel size={16} />} onSelect={() => restore.mutate(user.id)}>
      Restore bidding
    </MenuItem>
  )
}

type UserDialogName = 'edit' | 'suspend' | 'delete' | 'license' | 'decline'

export function UserActs({ user }: { user: AdminUser }) {
  const [open, setOpen] = useState<UserDialogName>()
  return (
    <>
      <UserMenu user={user} onOpen={setOpen} />
      <UserDialogs open={open} user={user} onClose={() => setOpen(undefined)} />
    </>
  )
}

function UserMenu({ user, onOpen }: { user: AdminUser; onOpen: (dialog: UserDialogName) => void }) {
  const reinstate = useReinstateUser()
  const access = useChangeApiAccess()
  const judge = useJudgeAdmission()
  return (
    <Menu trigger={<IconButton label={`Actions for ${user.name || user.email}`} icon={<MoreHorizontal size={18} />} />}>
      <MenuItem icon={<Pencil size={16} />} onSelect={() => onOpen('edit')}>
        Edit
      </MenuItem>
      {user.admission === 'admitted' ? null : (
        <MenuItem icon={<Check size={16} />} onSelect={() => judge.mutate({ id: user.id, verdict: 'approved' })}>
          Approve
        </MenuItem>
      )}
      {user.admission === 'waiting' ? (
        <MenuItem icon={<X size={16} />} onSelect={() => onOpen('decline')}>
          Decline
        </MenuItem>
      ) : null}
      {user.license.status === 'none' ? null : (
        <MenuItem icon={<BadgeCheck size={16} />} onSelect={() => onOpen('license')}>
          Review license {user.license.number}
        </MenuItem>
      )}
      <MenuItem icon={<KeyRound size={16} />} onSelect={() => access.mutate({ id: user.id, granted: !user.apiAccess })}>
        {user.apiAccess ? 'End API access' : 'Grant API access'}
      </MenuItem>
      <RestoreBidding user={user} />
      {user.suspendedAt ? (
        <MenuItem icon={<Undo2 size={16} />} onSelect={() => reinstate.mutate(user.id)}>
          Reinstate
        </MenuItem>
      ) : (
        <MenuItem icon={<Ban size={16} />} onSelect={() => onOpen('suspend')}>
          Suspend
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 size={16} />} destructive onSelect={() => onOpen('delete')}>
        Delete
      </MenuItem>
    </Menu>
  )
}

interface UserDialogsProps {
  open: UserDialogName | undefined
  user: AdminUser
  onClose: () => void
}

function UserDialogs({ open, user, onClose }: UserDialogsProps) {
  const suspend = useSuspendUser()
  const remove = useDeleteUser()
  const name = user.name || user.email
  const dialog = { open: true, onOpenChange: onClose }
  return (
    <>
      {open === 'edit' ? <EditUserDialog user={user} onClose={onClose} /> : null}
      {open === 'suspend' ? (
        <ReasonDialog
          {...dialog}
          title={`Suspend ${name}?`}
          description={suspensionMeans}
          confirmLabel="Suspend"
          withUntil
          busy={suspend.isPending}
          onConfirm={(reason, until) => suspend.mutate({ id: user.id, reason, until }, { onSuccess: onClose })}
        />
      ) : null}
      {open === 'decline' ? <DeclineDialog user={user} onClose={onClose} /> : null}
      {open === 'license' ? <LicenseDialog user={user} onClose={onClose} /> : null}
      {open === 'delete' ? (
        <ReasonDialog
          {...dialog}
          title={`Delete ${name}?`}
          description="The account is anonymized and its posts are removed. Deals are kept. This cannot be undone."
          confirmLabel="Delete"
          busy={remove.isPending}
          onConfirm={(reason) => remove.mutate({ id: user.id, reason }, { onSuccess: onClose })}
        />
      ) : null}
    </>
  )
}
