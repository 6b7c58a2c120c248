import { formatMoney, formatNumber, nounOf } from '#client/ui/format.ts'
import type { DealerProfile } from '#shared/schemas/dealers.ts'
import { Figure, ProfileHeader } from './profile-header.tsx'
import { useQuery } from '@tanstack/react-query'
import UserX from 'lucide-react/icons/user-x'
import { type ReactNode, useState } from 'react'
import { isNotFound, reasonOf } from '#client/lib/http/api.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { ProfileAchievements } from './profile-achievements.tsx'
import { dealerProfileQuery } from './profile.api.ts'

function ProfileStats({ stats }: Pick<DealerProfile, 'stats'>) {
  const days = stats.averageDaysToClose
  return (
    <dl className="grid grid-cols-3 gap-2 p-4 max-md:grid-cols-1">
      <Figure label="Deals">{formatNumber(stats.deals)}</Figure>
      <Figure label="Volume">{formatMoney(stats.volume, 'compact')}</Figure>
      <Figure label="Average to close">
        {days === null ? 'No deal closed yet' : `${days.toFixed(1)} ${nounOf(days, 'day')}`}
      </Figure>
    </dl>
  )
}

type Tab = 'activity' | 'statistics' | 'reviews'

interface ProfileViewProps {
  dealerId: string
  own: boolean
  renderActions: (profile: DealerProfile) => ReactNode
  renderActivity: (profile: DealerProfile) => ReactNode
  renderReviews: (profile: DealerProfile) => ReactNode
}

export function ProfileView({ dealerId, own, renderActions, renderActivity, renderReviews }: ProfileViewProps) {
  const profile = useQuery(dealerProfileQuery(dealerId))
  const [tab, setTab] = useState<Tab>('activity')
  if (profile.isPending) return <ProfileSkeleton />
  if (!profile.data) return <ProfileFailure error={profile.error} onRetry={() => void profile.refetch()} />
  const { data } = profile
  return (
    <div className="space-y-3">
      <ProfileHeader profile={data} own={own} actions={renderActions(data)} />
      <ProfileAchievements achievements={data.achievements} />
      <Card>
        <Tabs
          label="Profile"
          value={tab}
          onChange={setTab}
          listClassName="px-4"
          tabs={[
            { value: 'activity', label: 'Recent Activity', content: renderActivity(data) },
            { value: 'statistics', label: 'Statistics', content: <ProfileStats stats={data.stats} /> },
            { value: 'reviews', label: 'Reviews', content: renderReviews(data) },
          ]}
        />
      </Card>
    </div>
  )
}

function ProfileFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (isNotFound(error))
    return (
      <Card>
        <EmptyState
          level={1}
          icon={<UserX size={24} />}
          title="Dealer not found"
          hint="This dealer's profile is private or no longer exists."
          action={
            <ButtonLink href="/dealers" variant="primary">
              Back to Dealer Network
            </ButtonLink>
          }
        />
      </Card>
    )
  return <InlineError title="This profile could not be loaded" message={reasonOf(error)} onRetry={onRetry} />
}

function ProfileSkeleton() {
  return (
    <Loading label="Loading profile">
      <Card className="flex gap-4 p-6">
        <Skeleton className="size-24 flex-none rounded-full" />
        <div className="flex-1 space-y-3 pt-2">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-3 w-3/5" />
          <Skeleton className="h-3 w-1/3" />
        </div>
      </Card>
    </Loading>
  )
}
