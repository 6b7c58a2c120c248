import { useQuery } from '@tanstack/react-query'
import UserX from 'lucide-react/icons/user-x'
import { cancelledWinsDays, cancelledWinsMax } from '#shared/limits.ts'
import type { DealerFile } from '#shared/schemas/admin.ts'
import { isNotFound } from '#client/lib/http/api.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Fact } from '#client/ui/labeled-fact.tsx'
import { capitalize, formatDate, formatPlace, plural } from '#client/ui/format.ts'
import { dealerFileQuery } from './admin-dealer.api.ts'
import { DealerBillingCards } from './admin-dealer-billing.tsx'
import { DealerDeals, DealerPosts, DealerReports } from './admin-dealer-lists.tsx'
import { DealerOrders } from './admin-dealer-orders.tsx'
import { DealerNotes } from './admin-dealer-notes.tsx'
import { DealerSecondFactor, DealerSessions } from './admin-dealer-sessions.tsx'
import { Load } from '../home/admin-load.tsx'
import { UserActs } from '../users/admin-user-acts.tsx'
import { StateBadges } from '../users/admin-users.tsx'

export function AdminDealerFile({ id }: { id: string }) {
  const file = useQuery(dealerFileQuery(id))
  const billing = useBilling()
  const { data } = file
  const state = (
    <Card>
      <Load query={file} what="this dealer">
        {() => null}
      </Load>
    </Card>
  )
  if (data === undefined && isNotFound(file.error))
    return (
      <Card>
        <EmptyState
          level={1}
          icon={<UserX size={24} />}
          title="Dealer not found"
          hint="The address may be wrong, or the account no longer exists."
          action={<ButtonLink href="/admin/users">All users</ButtonLink>}
        />
      </Card>
    )
  if (data === undefined) return state
  return (
    <div className="space-y-3">
      {file.error ? state : null}
      <Head file={data} />
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="min-w-0 space-y-3">
          {billing && data.deletedAt === null && data.user.role === 'dealer' ? <DealerBillingCards id={id} /> : null}
          <DealerPosts posts={data.posts} />
          <DealerDeals id={id} deals={data.deals} />
          {data.deletedAt === null && data.user.role === 'dealer' ? <DealerOrders id={id} /> : null}
          <DealerReports reports={data.reports} />
        </div>
        <div className="min-w-0 space-y-3">
          <DealerNotes id={id} notes={data.notes} closed={data.deletedAt !== null} />
          {data.deletedAt === null ? <DealerSecondFactor id={id} on={data.secondFactor} /> : null}
          <DealerSessions id={id} sessions={data.sessions} />
        </div>
      </div>
    </div>
  )
}

function Head({ file: { user, deletedAt, invited } }: { file: DealerFile }) {
  if (deletedAt !== null)
    return (
      <Card>
        <EmptyState
          icon={<UserX size={24} />}
          title={`This account was deleted on ${formatDate(deletedAt)}`}
          hint="Personal data was erased. Records that others need are kept below."
        />
      </Card>
    )
  const { license } = user
  return (
    <Card aria-label="Account">
      <div className="flex flex-wrap items-start gap-4 p-4">
        <Avatar name={user.name || user.email} src={user.avatar} size={56} online={user.isOnline} />
        <div className="min-w-0 flex-1">
          <p className="text-base font-semibold wrap-anywhere">{user.name || 'No name yet'}</p>
          <p className="text-ink-2 wrap-anywhere">
            {[user.dealershipName, capitalize(user.dealershipType), formatPlace(user)].filter(Boolean).join(', ')}
          </p>
          <div className="mt-1.5 flex flex-wrap gap-1">
            <StateBadges user={user} />
          </div>
        </div>
        <div className="flex flex-none items-center gap-2 max-sm:w-full max-sm:justify-between">
          {user.role === 'dealer' ? <ButtonLink href={`/dealers/${user.id}`}>View full profile</ButtonLink> : null}
          <UserActs user={user} />
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line p-4 lg:grid-cols-4">
        <Fact label="Email">{user.email}</Fact>
        <Fact label="Phone">{user.phone ?? 'Not provided'}</Fact>
        <Fact label="Joined">{formatDate(user.createdAt)}</Fact>
        <Fact label="Status">{stateOf(user, invited)}</Fact>
        <Fact label="License">
          {license.number ? `${license.number}${license.state ? `, ${license.state}` : ''}` : 'Not submitted'}
        </Fact>
        <Fact label="License status">{licenseTexts[license.status]}</Fact>
        <Fact label="Auction Access">{user.auctionAccessNumber || 'Not given'}</Fact>
        <Fact label="5 Mil">{user.dealership5MilNumber || 'Not given'}</Fact>
        {user.biddingStoppedAt === null ? null : (
          <Fact label="Bidding">
            Blocked on {formatDate(user.biddingStoppedAt)}: {plural(cancelledWinsMax, 'purchase')} won and cancelled
            within {cancelledWinsDays} days. Restore bidding under Actions.
          </Fact>
        )}
      </dl>
    </Card>
  )
}

const licenseTexts: Record<DealerFile['user']['license']['status'], string> = {
  none: 'Not submitted',
  waiting: 'Waiting for review',
  verified: 'Verified',
  rejected: 'Rejected',
  expired: 'Expired',
}

function stateOf(
  { suspendedAt, suspendedReason, admission, declinedReason, isOnline }: DealerFile['user'],
  invited: boolean,
): string {
  if (suspendedAt !== null) return `Suspended${suspendedReason ? `: ${suspendedReason}` : ''}`
  if (admission === 'waiting') return 'Waiting for approval'
  if (admission === 'declined') return `Declined${declinedReason ? `: ${declinedReason}` : ''}`
  if (invited) return 'Invited, not joined'
  return isOnline ? 'Active, online now' : 'Active'
}
