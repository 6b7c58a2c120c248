import { useQuery } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import PackageOpen from 'lucide-react/icons/package-open'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useRef } from 'react'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { formatBytes, formatDateTime } from '#client/ui/format.ts'
import { useFocusInPlace } from '#client/ui/list-focus.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { dataExportDays, dataExportsPerDay } from '#shared/constants/account.ts'
import type { DataExport } from '#shared/schemas/account.ts'
import { dataExportQuery, useRequestExport } from './settings.api.ts'

export function DataCopy() {
  const query = useQuery(dataExportQuery())
  const last = query.data?.export ?? null
  const box = useRef<HTMLDivElement>(null)
  const focus = useFocusInPlace(box)
  return (
    <div ref={box} tabIndex={-1} {...focus} className="flex flex-wrap items-center justify-between gap-3 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">Download my data</p>
        <p className="text-xs text-ink-2">
          All your data, including photos and documents, in one ZIP file. Up to {dataExportsPerDay} a day
        </p>
        <QueryState query={query} failure="Your last copy could not be loaded" label="Loading your last copy">
          <Skeleton className="mt-1 h-4 w-48" />
        </QueryState>
        <div aria-live="polite">{last === null ? null : <State last={last} />}</div>
      </div>
      {query.data === undefined ? null : <Act last={last} />}
    </div>
  )
}

function State({ last }: { last: DataExport }) {
  if (last.state === 'preparing')
    return (
      <p className="mt-1 flex items-center gap-2 text-ink-2">
        <Spinner size={14} />
        Preparing. You can leave this page; we'll notify you.
      </p>
    )
  if (last.state === 'failed')
    return <p className="mt-1 text-danger-ink">{last.error ?? 'Your last copy could not be prepared.'}</p>
  return (
    <p className="mt-1 text-ink-2">
      Ready: <span className="num">{formatBytes(last.sizeBytes ?? 0)}</span>, requested{' '}
      <span className="num">{formatDateTime(last.requestedAt)}</span>. Kept for {dataExportDays} days, until{' '}
      <span className="num">{formatDateTime(last.expiresAt ?? last.requestedAt)}</span>.
    </p>
  )
}

function Act({ last }: { last: DataExport | null }) {
  const request = useRequestExport()
  const ask = (label: string, icon = <PackageOpen size={16} aria-hidden="true" />) => (
    <Button icon={icon} busy={request.isPending} onClick={() => request.mutate()}>
      {label}
    </Button>
  )
  if (last === null) return ask('Prepare a copy')
  if (last.state === 'preparing') return null
  if (last.state === 'failed') return ask('Try again', <RotateCw size={16} aria-hidden="true" />)
  return (
    <div className="flex flex-wrap gap-2">
      <a href={`/api/account/export/${last.id}`} download className={buttonClass({ variant: 'primary' })}>
        <Download size={16} aria-hidden="true" />
        Download
      </a>
      {ask('Prepare a new copy')}
    </div>
  )
}
