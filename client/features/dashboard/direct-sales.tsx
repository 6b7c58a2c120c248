import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { formatNumber } from '#client/ui/format.ts'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import type { SalesKind } from '#shared/schemas/dashboard.ts'
import { dashboardQuery } from './dashboard.api.ts'

const AnalyticsDialog = lazyPart(async () => (await import('./analytics-dialog.tsx')).AnalyticsDialog)

const tiles: { kind: SalesKind; label: string }[] = [
  { kind: 'sold', label: 'Vehicles Sold' },
  { kind: 'pending', label: 'Vehicles Pending' },
  { kind: 'near', label: 'Near Deals' },
]

export function DirectSales() {
  const dashboard = useQuery(dashboardQuery())
  const [kind, setKind] = useState<SalesKind>()
  return (
    <Card inset aria-labelledby="direct-sales">
      <CardHeader id="direct-sales" title="Direct Sales" />
      <CardBody>
        {dashboard.isPending && !dashboard.isError ? (
          <Loading label="Loading direct sales">
            <Skeleton className="mb-1 h-20 rounded-md" />
          </Loading>
        ) : (
          <div className="grid grid-cols-3 gap-2 pb-1">
            {tiles.map((tile) => (
              <button
                key={tile.kind}
                type="button"
                aria-haspopup="dialog"
                onClick={() => setKind(tile.kind)}
                className="flex flex-col gap-1 rounded-md border border-line bg-sunken p-2 text-left transition-colors hover:border-line-strong hover:bg-hover"
              >
                {dashboard.data ? (
                  <ChangingNumber
                    value={dashboard.data.sales[tile.kind]}
                    text={formatNumber(dashboard.data.sales[tile.kind])}
                    className="text-lg font-semibold tracking-lg"
                  />
                ) : (
                  <span className="text-lg font-semibold tracking-lg">–</span>
                )}
                <span className="text-xs text-ink-2">{tile.label}</span>
              </button>
            ))}
          </div>
        )}
      </CardBody>
      <Suspense>{kind ? <AnalyticsDialog kind={kind} onClose={() => setKind(undefined)} /> : null}</Suspense>
    </Card>
  )
}
