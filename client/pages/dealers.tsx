import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import type { DirectoryFilter } from '#client/features/dealers/directory.api.ts'
import { Directory } from '#client/features/dealers/directory.tsx'
import { VehicleActivityCard } from '#client/features/dealers/vehicle-activity.tsx'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'
import { DirectSales } from '#client/features/dashboard/direct-sales.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { dealershipTypes, statesAndProvinces } from '#shared/places.ts'
import type { DirectoryDealer, DirectoryView } from '#shared/schemas/dealers.ts'

export function DealersPage() {
  return <NetworkPage view="all" />
}

export function MyDealersPage() {
  return <NetworkPage view="mine" />
}

/** Lists dealers who are not connected yet. */
export function DiscoverPage() {
  return <NetworkPage view="discover" />
}

function NetworkPage({ view }: { view: DirectoryView }) {
  const [filter, setFilter] = useDirectoryFilter(view)
  const message = (dealer: DirectoryDealer) => {
    toast({ title: 'Starting chat' })
    void openChatWith(dealer.id, { page: true })
  }
  return (
    <PageLayout
      title="Dealer Network"
      left={
        <>
          <VehicleActivityCard />
          <DirectSales />
        </>
      }
      leftLabel="My Vehicle Activity"
    >
      <Directory filter={filter} onFilter={setFilter} onMessage={message} />
    </PageLayout>
  )
}

/** Replaces unknown values in the URL with `all`, because the server would reject the whole request. */
const oneOf = (values: readonly string[], asked: string | null) => values.find((value) => value === asked) ?? 'all'

function useDirectoryFilter(view: DirectoryView) {
  const [params, setParams] = useSearchParams()
  const filter: DirectoryFilter = {
    view,
    name: params.get('name') ?? '',
    state: oneOf(statesAndProvinces, params.get('state')),
    dealershipType: oneOf(dealershipTypes, params.get('dealershipType')),
    buysCanadian: oneOf(['yes', 'no'], params.get('buysCanadian')),
  }
  const setFilter = useCallback(
    (change: Partial<DirectoryFilter>) =>
      setParams(
        (current) => {
          const wanted = new URLSearchParams(current)
          for (const [name, value] of Object.entries(change))
            if (value === '' || value === 'all') wanted.delete(name)
            else wanted.set(name, value)
          return wanted
        },
        { replace: true },
      ),
    [setParams],
  )
  return [filter, setFilter] as const
}
