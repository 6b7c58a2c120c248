import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { openPostInventory } from '#client/app/post-inventory.ts'
import { DemandList } from '#client/features/wanted/demand-list.tsx'
import { Matches } from '#client/features/wanted/matches.tsx'
import { MyOrders, OrderTotals } from '#client/features/wanted/my-orders.tsx'
import { OrderDialog } from '#client/features/wanted/order-dialog.tsx'
import { ofFind } from '#client/features/wanted/order-labels.ts'
import { buyOrdersQuery, type DemandFilter } from '#client/features/wanted/wanted.api.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { readFind } from '#shared/find-query.ts'
import { orderRadii } from '#shared/constants/wanted.ts'
import type { BuyOrder } from '#shared/schemas/wanted.ts'

const VinDemand = lazyPart(async () => (await import('./vin-demand.tsx')).VinDemand)

type View = 'orders' | 'demand'

/** Keeps the page's state in the URL: the view, the filters of the demand list, and the new order dialog with its prefilled search. */
function useWanted() {
  const [params, setParams] = useSearchParams()
  const set = (change: Record<string, string>) =>
    setParams(
      (current) => {
        const wanted = new URLSearchParams(current)
        for (const [name, value] of Object.entries(change))
          if (value === '') wanted.delete(name)
          else wanted.set(name, value)
        return wanted
      },
      { replace: true },
    )
  const within = orderRadii.find((miles) => String(miles) === params.get('within'))
  const filter: DemandFilter = {
    q: params.get('q') ?? '',
    make: params.get('make') ?? '',
    within: within === undefined ? '' : String(within),
    have: params.get('have') === '1',
  }
  return {
    view: (params.get('view') === 'demand' ? 'demand' : 'orders') as View,
    isNew: params.get('order') === 'new',
    start: ofFind(readFind(Object.fromEntries(params))),
    filter,
    show: (view: View) => setParams(view === 'demand' ? { view } : {}),
    openNew: () => set({ order: 'new' }),
    // Keep the demand filters, but drop a search that came from Find.
    closeNew: () => (params.get('view') === 'demand' ? set({ order: '' }) : setParams({}, { replace: true })),
    setFilter: ({ have, ...change }: Partial<DemandFilter>) =>
      set({ ...change, ...(have !== undefined && { have: have ? '1' : '' }) }),
  }
}

export function WantedPage() {
  const wanted = useWanted()
  const [editing, setEditing] = useState<BuyOrder>()
  const { data, isPending } = useQuery(buyOrdersQuery())
  const count = data?.orders.filter(({ state }) => state !== 'ended').length
  return (
    <PageLayout title="Wanted">
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2 pt-1 max-md:px-4 max-md:pt-2">
          <h1 className="text-lg font-semibold tracking-lg">Wanted</h1>
          <div className="max-md:order-1 max-md:w-full">
            <Segmented
              label="Wanted"
              block
              value={wanted.view}
              onChange={wanted.show}
              options={[
                { value: 'demand', label: 'Demand' },
                { value: 'orders', label: 'My buy orders', count },
              ]}
            />
          </div>
          <Button variant="primary" icon={<Plus size={14} />} className="ml-auto" onClick={wanted.openNew}>
            New buy order
          </Button>
        </div>
        {wanted.view === 'demand' ? (
          <DemandList
            filter={wanted.filter}
            onFilter={wanted.setFilter}
            onPost={openPostInventory}
            lookUp={
              // The placeholder reserves the height of the empty form.
              <Suspense fallback={<Card className="h-38 max-md:h-60" />}>
                <VinDemand />
              </Suspense>
            }
          />
        ) : (
          <>
            <OrderTotals />
            <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1fr)_22.5rem]">
              <MyOrders onNew={wanted.openNew} onEdit={setEditing} />
              <Matches />
            </div>
          </>
        )}
      </div>
      {wanted.isNew && !isPending ? (
        <OrderDialog start={wanted.start} zip={data?.zip ?? ''} onClose={wanted.closeNew} />
      ) : null}
      {editing ? (
        <OrderDialog
          key={editing.id}
          order={editing}
          start={wanted.start}
          zip={data?.zip ?? ''}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
    </PageLayout>
  )
}
