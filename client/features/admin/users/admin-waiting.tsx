import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import UserCheck from 'lucide-react/icons/user-check'
import { useState } from 'react'
import type { AdminUser } from '#shared/schemas/admin.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Fact } from '#client/ui/labeled-fact.tsx'
import { capitalize, formatDateTime, formatPlace, plural } from '#client/ui/format.ts'
import { useListFocus } from '#client/ui/list-focus.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { AdminDealerLink } from '../admin-dealer-link.tsx'
import { DeclineDialog } from './admin-decline-dialog.tsx'
import { LicenseDialog } from './admin-license-dialog.tsx'
import { Load } from '../home/admin-load.tsx'
import { adminNetworkQuery, useJudgeAdmission, usersQuery } from '../admin.api.ts'

export function AdminWaitingLink() {
  const waiting = useInfiniteQuery(usersQuery({ q: '', state: 'waiting' }))
  const total = waiting.data?.pages[0]?.total ?? 0
  return total === 0 ? null : (
    <a href="#waiting" className="text-accent-ink underline max-md:py-3">
      {plural(total, 'account')} waiting for approval
    </a>
  )
}

export function AdminWaiting() {
  const waiting = useInfiniteQuery(usersQuery({ q: '', state: 'waiting' }))
  const network = useQuery(adminNetworkQuery())
  const total = waiting.data?.pages[0]?.total ?? 0
  const rows = waiting.data?.pages.flatMap((page) => page.users) ?? []
  const focus = useListFocus('name')
  if (total === 0 && network.data?.joining !== 'approval') return null
  return (
    <Card id="waiting" className="mt-3 scroll-mt-18" aria-label="Waiting for approval">
      <CardHeader title="Waiting for approval">
        {total > 0 ? <Badge tone="warning">{plural(total, 'account')}</Badge> : null}
      </CardHeader>
      <Load query={waiting} what="waiting accounts">
        {() =>
          rows.length === 0 ? (
            <EmptyState
              compact
              level={3}
              icon={<UserCheck size={24} />}
              title="No one is waiting"
              hint="New sign-ups appear here until you decide."
            />
          ) : (
            <ul {...focus} className="divide-y divide-line">
              {rows.map((user) => (
                <WaitingAccount key={user.id} user={user} />
              ))}
            </ul>
          )
        }
      </Load>
      {waiting.hasNextPage ? (
        <LoadMore busy={waiting.isFetchingNextPage} onLoad={() => void waiting.fetchNextPage()} />
      ) : null}
    </Card>
  )
}

function WaitingAccount({ user }: { user: AdminUser }) {
  const judge = useJudgeAdmission()
  const [open, setOpen] = useState<'decline' | 'license'>()
  const close = () => setOpen(undefined)
  const name = user.dealershipName || user.name || user.email
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="mr-auto min-w-0">
          <AdminDealerLink id={user.id} className="font-semibold wrap-anywhere">
            {name}
          </AdminDealerLink>
          {user.profileComplete ? null : <p className="text-warning-ink">Has not finished the profile yet</p>}
        </div>
        <div className="flex flex-none gap-2 max-sm:w-full max-sm:*:flex-1">
          <Button aria-label={`Decline ${name}`} onClick={() => setOpen('decline')}>
            Decline
          </Button>
          <Button
            variant="primary"
            icon={<Check size={16} />}
            aria-label={`Approve ${name}`}
            busy={judge.isPending}
            onClick={() => judge.mutate({ id: user.id, verdict: 'approved' })}
          >
            Approve
          </Button>
        </div>
      </div>
      <Facts user={user} onLicense={() => setOpen('license')} />
      {open === 'decline' ? <DeclineDialog user={user} onClose={close} /> : null}
      {open === 'license' ? <LicenseDialog user={user} onClose={close} /> : null}
    </li>
  )
}

function Facts({ user, onLicense }: { user: AdminUser; onLicense: () => void }) {
  const { license } = user
  return (
    <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-4">
      <Fact label="Name">{user.name || 'Not given'}</Fact>
      <Fact label="Email">
        {user.email}{' '}
        <Badge tone={user.emailVerified ? 'success' : 'warning'}>
          {user.emailVerified ? 'Confirmed' : 'Not confirmed'}
        </Badge>
      </Fact>
      <Fact label="Phone">{user.phone ?? 'Not given'}</Fact>
      <Fact label="Signed up">{formatDateTime(user.createdAt)}</Fact>
      <Fact label="Dealership type">{capitalize(user.dealershipType)}</Fact>
      <Fact label="Location">{formatPlace(user) || 'Not given'}</Fact>
      <Fact label="Dealer license">
        {license.number ? (
          <button type="button" className="text-left text-accent-ink underline max-md:min-h-11" onClick={onLicense}>
            {license.number}, {license.state}
          </button>
        ) : (
          'Not submitted'
        )}
      </Fact>
      <Fact label="Auction Access, 5 Mil">
        {user.auctionAccessNumber || 'Not given'}, {user.dealership5MilNumber || 'Not given'}
      </Fact>
    </dl>
  )
}
