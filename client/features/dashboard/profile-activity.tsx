import { useQuery } from '@tanstack/react-query'
import { Card, CardBody, CardHeader, KeyValue } from '#client/ui/card.tsx'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { formatNumber, plural } from '#client/ui/format.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { Dashboard } from '#shared/schemas/dashboard.ts'
import { dashboardQuery } from './dashboard.api.ts'

export function ProfileActivity() {
  const dashboard = useQuery(dashboardQuery())
  return (
    <Card inset aria-labelledby="profile-activity">
      <CardHeader id="profile-activity" title="Profile Activity">
        {dashboard.data ? (
          <span className="text-xs text-ink-3">{plural(dashboard.data.activity.days, 'day')}</span>
        ) : null}
      </CardHeader>
      <CardBody>
        <QueryState
          query={dashboard}
          failure="Your profile activity could not be loaded"
          label="Loading profile activity"
        >
          {[1, 2, 3].map((row) => (
            <div key={row} className="py-2">
              <Skeleton className="h-3" />
            </div>
          ))}
        </QueryState>
        {dashboard.data ? <Activity activity={dashboard.data.activity} /> : null}
      </CardBody>
    </Card>
  )
}

function Activity({ activity }: { activity: Dashboard['activity'] }) {
  const rows = [
    { label: 'Profile views', value: activity.profileViews },
    { label: 'Post impressions', value: activity.postImpressions },
    { label: 'New connections', value: activity.newConnections },
  ]
  return (
    <dl>
      {rows.map(({ label, value }) => (
        <KeyValue key={label} label={label}>
          <ChangingNumber value={value} text={formatNumber(value)} className="font-semibold" />
        </KeyValue>
      ))}
    </dl>
  )
}
