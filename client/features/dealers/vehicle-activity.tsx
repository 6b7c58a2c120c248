import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { Card, CardBody, CardHeader, KeyValue } from '#client/ui/card.tsx'
import { formatNumber } from '#client/ui/format.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { vehicleActivityQuery } from './directory.api.ts'

export function VehicleActivityCard() {
  const activity = useQuery(vehicleActivityQuery())
  return (
    <Card inset aria-labelledby="vehicle-activity">
      <CardHeader id="vehicle-activity" title="My Vehicle Activity" />
      <CardBody>
        <QueryState query={activity} failure="Your activity could not be loaded" label="Loading your activity">
          <Skeleton className="h-54 rounded-md" />
        </QueryState>
        {activity.data ? (
          <>
            <dl>
              <Figure label="Active listings">{formatNumber(activity.data.activeListings)}</Figure>
              <Figure label="Sold this month">{formatNumber(activity.data.soldThisMonth)}</Figure>
              <Figure label="Pending">{formatNumber(activity.data.pending)}</Figure>
              <Figure label="Watching">{formatNumber(activity.data.watching)}</Figure>
            </dl>
            <dl className="mt-2 border-t border-line pt-2">
              <Figure label="Bought">{formatNumber(activity.data.bought)}</Figure>
              <Figure label="From Canada">{formatNumber(activity.data.fromCanada)}</Figure>
              <Figure label="Average days to close">{activity.data.averageDaysToClose?.toFixed(1) ?? '–'}</Figure>
            </dl>
          </>
        ) : null}
      </CardBody>
    </Card>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <KeyValue label={label}>
      <b className="num font-semibold">{children}</b>
    </KeyValue>
  )
}
