import { useInfiniteQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useState } from 'react'
import type { CaseState } from '#shared/schemas/moderation.ts'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatNumber } from '#client/ui/format.ts'
import { useListFocus } from '#client/ui/list-focus.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { casesQuery } from '../admin.api.ts'
import { Load } from '../home/admin-load.tsx'
import { ModerationCaseCard } from './admin-moderation-case.tsx'

const empty = {
  open: { title: 'Nothing to review', hint: 'Reports from dealers appear here.' },
  decided: { title: 'No decisions yet', hint: 'Resolved reports appear here.' },
}

export function AdminModeration() {
  const [state, setState] = useState<CaseState>('open')
  const cases = useInfiniteQuery(casesQuery(state))
  const focus = useListFocus('name')
  const counts = cases.data?.pages[0]?.counts
  const label = (name: string, count: number | undefined) => (count ? `${name} (${formatNumber(count)})` : name)
  return (
    <div className="space-y-3">
      <div className="flex max-md:px-4">
        <Segmented
          label="Reports"
          value={state}
          onChange={setState}
          options={[
            { value: 'open', label: label('Open', counts?.open) },
            { value: 'decided', label: label('Resolved', counts?.decided) },
          ]}
        />
      </div>
      {cases.data === undefined || cases.error ? (
        <Card>
          <Load query={cases} what="reports">
            {() => null}
          </Load>
        </Card>
      ) : null}
      <ul {...focus} aria-label="Reported" className="space-y-3 empty:hidden">
        {cases.data?.pages.flatMap((page) =>
          page.cases.map((one) => (
            <li key={`${one.kind} ${one.subjectId}`}>
              <ModerationCaseCard one={one} />
            </li>
          )),
        )}
      </ul>
      {cases.data?.pages[0]?.cases.length === 0 ? (
        <Card>
          <EmptyState icon={<ShieldCheck size={24} />} {...empty[state]} />
        </Card>
      ) : null}
      {cases.hasNextPage ? (
        <Card>
          <LoadMore busy={cases.isFetchingNextPage} onLoad={() => void cases.fetchNextPage()} />
        </Card>
      ) : null}
    </div>
  )
}
