import { useState } from 'react'
import type { AdminUser, NewAdminUser } from '#shared/schemas/admin.ts'
import { Button } from '#client/ui/button.tsx'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { useInviteUser, usersQuery } from '../admin.api.ts'
import { invalidUser, UserFields } from './admin-user-fields.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import Users from 'lucide-react/icons/users'
import { nothingFound } from '#client/lib/form/nothing-found.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { DebouncedSearch } from '#client/ui/debounced-search.tsx'
import { VerifiedBadge } from '#client/ui/verified-badge.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalize, formatDate, formatPlace, formatTotal, nounOf } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { Select } from '#client/ui/select.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { AdminDealerLink } from '../admin-dealer-link.tsx'
import { Load } from '../home/admin-load.tsx'
import { UserActs } from './admin-user-acts.tsx'

const initial: NewAdminUser = { name: '', email: '', dealershipName: '', dealershipType: 'independent', role: 'dealer' }

function AddUserDialog({ onClose }: { onClose: () => void }) {
  const invite = useInviteUser()
  const form = useFormState({
    initial,
    validate: invalidUser,
    onSubmit: (values) => invite.mutate(values, { onSuccess: onClose }),
  })
  return (
    <FormDialog
      title="Add User"
      description="The account is created now. Its owner gets an email with a link to choose a password."
      confirmLabel="Send invitation"
      busy={invite.isPending}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <UserFields {...form} />
    </FormDialog>
  )
}

const states = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'waiting', label: 'Waiting for approval' },
  { value: 'declined', label: 'Declined' },
  { value: 'unverified', label: 'License to verify' },
]

function AccessBadge({ user: { suspendedAt, suspendedUntil, admission, invitedUntil } }: { user: AdminUser }) {
  if (suspendedAt)
    return <Badge tone="danger">Suspended{suspendedUntil ? ` until ${formatDate(suspendedUntil)}` : ''}</Badge>
  if (admission === 'waiting') return <Badge tone="warning">Waiting for approval</Badge>
  if (admission === 'declined') return <Badge tone="danger">Declined</Badge>
  if (invitedUntil) return <Badge tone="warning">Invited</Badge>
  return <Badge tone="success">Active</Badge>
}

export function StateBadges({ user }: { user: AdminUser }) {
  return (
    <span className="flex flex-wrap gap-1">
      <AccessBadge user={user} />
      {user.role === 'dealer' ? null : <Badge tone="accent">{capitalize(user.role)}</Badge>}
      {user.apiAccess ? <Badge tone="outline">API access</Badge> : null}
      {user.biddingStoppedAt ? <Badge tone="warning">Bidding blocked</Badge> : null}
      {user.license.status === 'waiting' ? <Badge tone="warning">License to verify</Badge> : null}
      {user.license.status === 'verified' ? <VerifiedBadge /> : null}
    </span>
  )
}

function Person({ user }: { user: AdminUser }) {
  return (
    <span className="flex min-w-0 items-center gap-3 md:max-w-72">
      <Avatar name={user.name || user.email} src={user.avatar} size={32} online={user.isOnline} />
      <span className="min-w-0">
        <AdminDealerLink id={user.id} className="block truncate font-semibold">
          {user.name || 'No name yet'}
        </AdminDealerLink>
        <span className="block truncate text-xs text-ink-2">{user.email}</span>
      </span>
    </span>
  )
}

function UserCard({ user }: { user: AdminUser }) {
  return (
    <div className="flex items-start gap-2">
      <div className="mr-auto min-w-0">
        <Person user={user} />
        <p className="mt-1 truncate pl-11 text-xs text-ink-2">
          {[user.dealershipName, formatPlace(user)].filter(Boolean).join(', ') || 'No dealership yet'}
        </p>
        <div className="mt-1.5 pl-11">
          <StateBadges user={user} />
        </div>
      </div>
      <UserActs user={user} />
    </div>
  )
}

const columns: readonly Column<AdminUser>[] = [
  { key: 'name', title: 'Dealer', cell: (user) => <Person user={user} /> },
  {
    key: 'dealership',
    title: 'Dealership',
    cell: (user) => (
      <span className="block max-w-56 min-w-0">
        <span className="block truncate">{user.dealershipName || '—'}</span>
        <span className="block text-xs text-ink-2">{capitalize(user.dealershipType)}</span>
      </span>
    ),
  },
  { key: 'place', title: 'Location', cell: (user) => formatPlace(user) || '—' },
  { key: 'phone', title: 'Phone', cell: (user) => <span className="whitespace-nowrap">{user.phone ?? '—'}</span> },
  {
    key: 'joined',
    title: 'Joined',
    cell: (user) => <span className="whitespace-nowrap">{formatDate(user.createdAt)}</span>,
  },
  { key: 'state', title: 'Status', cell: (user) => <StateBadges user={user} /> },
  { key: 'acts', title: 'Actions', hideTitle: true, align: 'right', cell: (user) => <UserActs user={user} /> },
]

export function AdminUsers() {
  const [q, setQ] = useState('')
  const [state, setState] = useState('all')
  const [adding, setAdding] = useState(false)
  const users = useInfiniteQuery(usersQuery({ q, state }))
  const rows = users.data?.pages.flatMap((page) => page.users) ?? []
  // While the previous results are shown, their count does not apply to this search.
  const found = users.isPlaceholderData ? undefined : users.data?.pages[0]
  const total = found && formatTotal(found.total, q)
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2 p-4">
        <DebouncedSearch label="Search by name, dealership or email" value={q} onSearch={setQ} />
        <div className="w-52 max-md:flex-1">
          <Select label="Show" prefix="Show:" value={state} onChange={setState} options={states} />
        </div>
        <span className="num ml-auto text-xs text-ink-2" aria-live="polite">
          {total && `${total.text} ${nounOf(total.number, 'account')}`}
        </span>
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
          Add User
        </Button>
      </div>
      <Load query={users} what="dealers">
        {() => (
          <Table
            caption="Dealers"
            columns={columns}
            rows={rows}
            rowKey={(user) => user.id}
            card={(user) => <UserCard user={user} />}
            empty={
              <EmptyState
                icon={<Users size={24} />}
                title="No dealers found"
                hint={nothingFound('Try another name, dealership or email', q)}
              />
            }
          />
        )}
      </Load>
      {users.hasNextPage ? (
        <LoadMore busy={users.isFetchingNextPage} onLoad={() => void users.fetchNextPage()} />
      ) : null}
      {adding ? <AddUserDialog onClose={() => setAdding(false)} /> : null}
    </Card>
  )
}
