import { useInfiniteQuery } from '@tanstack/react-query'
import ScrollText from 'lucide-react/icons/scroll-text'
import { useState } from 'react'
import type { AuditEntry } from '#shared/schemas/audit.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { LoadMore } from '#client/ui/load-more.tsx'
import { Select } from '#client/ui/select.tsx'
import { DebouncedSearch } from '#client/ui/debounced-search.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { auditQuery } from '../admin.api.ts'
import { auditNouns, actText } from '../audit-words.ts'
import { AdminDealerLink } from '../admin-dealer-link.tsx'
import { Load } from '../home/admin-load.tsx'

const kinds = [
  { value: 'all', label: 'Everything' },
  ...Object.entries(auditNouns).map(([value, label]) => ({ value, label })),
]

/** Kinds of audit entries that exist only if billing is on. */
const ofPlans: ReadonlySet<string> = new Set(['plan', 'addon', 'subscription', 'gift', 'invoice'])

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Shows the old and new values, and the request id, which identifies the request's lines in the server's log. */
function Change({ before, after, requestId }: Pick<AuditEntry, 'before' | 'after' | 'requestId'>) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const summary = names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ')
  return (
    <details className="md:max-w-56">
      <summary className="cursor-pointer wrap-anywhere text-accent-ink max-md:py-3">{summary || 'Request'}</summary>
      <dl className="mt-1 font-mono text-xs wrap-anywhere">
        {names.map((name) => (
          <div key={name}>
            <dt className="inline text-ink-2">{name}: </dt>
            <dd className="inline">
              {before && name in before ? <del className="text-danger-ink">{shown(before[name])}</del> : null}{' '}
              {after && name in after ? (
                <ins className="text-success-ink no-underline">{shown(after[name])}</ins>
              ) : null}
            </dd>
          </div>
        ))}
        <div>
          <dt className="inline text-ink-2">request: </dt>
          <dd className="inline">{requestId.slice(0, 8)}</dd>
        </div>
      </dl>
    </details>
  )
}

const ofDealers: ReadonlySet<string> = new Set(['user', 'dealer'])
const isId = /^[0-9a-f-]{36}$/

function Subject({ entry: { subjectKind, subjectId, subjectName } }: { entry: AuditEntry }) {
  const name = subjectName || subjectId
  if (!ofDealers.has(subjectKind) || !isId.test(subjectId)) return name
  return <AdminDealerLink id={subjectId}>{name}</AdminDealerLink>
}

const columns: readonly Column<AuditEntry>[] = [
  { key: 'at', title: 'When', cell: ({ at }) => <span className="num whitespace-nowrap">{formatDateTime(at)}</span> },
  {
    key: 'who',
    title: 'Who',
    cell: ({ actorName }) => <span className="block max-w-40 min-w-24 font-medium wrap-anywhere">{actorName}</span>,
  },
  { key: 'what', title: 'What', cell: ({ action }) => <span className="block min-w-32">{actText(action)}</span> },
  {
    key: 'whom',
    title: 'To',
    cell: (entry) => (
      <span className="block max-w-56 min-w-32 wrap-anywhere">
        <Subject entry={entry} />
      </span>
    ),
  },
  {
    key: 'why',
    title: 'Why',
    cell: ({ reason }) => <span className="block max-w-80 min-w-40 wrap-anywhere">{reason || '—'}</span>,
  },
  { key: 'change', title: 'Change', cell: (entry) => <Change {...entry} /> },
]

function EntryCard({ entry }: { entry: AuditEntry }) {
  const { at, actorName, action, reason } = entry
  return (
    <>
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{actText(action)}</span>
        <span className="num flex-none text-xs text-ink-3">{formatDateTime(at)}</span>
      </p>
      <p className="mt-1 wrap-anywhere">
        {actorName}
        <span className="text-ink-2"> to </span>
        <Subject entry={entry} />
      </p>
      {reason ? <p className="mt-1 wrap-anywhere text-ink-2">{reason}</p> : null}
      <Change {...entry} />
    </>
  )
}

export function AdminAudit() {
  const [filter, setFilter] = useState({ q: '', action: 'all', from: '', to: '' })
  const audit = useInfiniteQuery(auditQuery(filter))
  const billing = useBilling()
  const filtered = filter.q !== '' || filter.action !== 'all' || filter.from !== '' || filter.to !== ''
  const set = (change: Partial<typeof filter>) => setFilter((current) => ({ ...current, ...change }))
  const offered = billing ? kinds : kinds.filter(({ value }) => !ofPlans.has(value))
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2 p-4">
        <DebouncedSearch label="Search by person or reason" value={filter.q} onSearch={(q) => set({ q })} />
        <div className="w-44 max-md:w-full">
          <Select label="Kind" value={filter.action} onChange={(action) => set({ action })} options={offered} />
        </div>
        <div className="flex items-center gap-2 max-md:w-full [&>div]:max-md:min-w-0 [&>div]:max-md:flex-1">
          <Field label="From" hideLabel>
            <Input type="date" value={filter.from} onChange={(event) => set({ from: event.target.value })} />
          </Field>
          <span className="text-ink-2">to</span>
          <Field label="To" hideLabel>
            <Input type="date" value={filter.to} onChange={(event) => set({ to: event.target.value })} />
          </Field>
        </div>
      </div>
      <Load query={audit} what="the audit log">
        {({ pages }) => (
          <Table
            caption="Audit log"
            columns={columns}
            rows={pages.flatMap((page) => page.entries)}
            rowKey={({ id }) => id}
            card={(entry) => <EntryCard entry={entry} />}
            empty={
              <EmptyState
                icon={<ScrollText size={24} />}
                title={filtered ? 'No entries found' : 'Nothing recorded'}
                hint={
                  filtered
                    ? 'Try another search, kind or date range'
                    : 'Actions by admins and operations staff appear here.'
                }
              />
            }
          />
        )}
      </Load>
      {audit.hasNextPage ? (
        <LoadMore busy={audit.isFetchingNextPage} onLoad={() => void audit.fetchNextPage()} />
      ) : null}
    </Card>
  )
}
