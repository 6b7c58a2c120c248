import { useQuery } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useState } from 'react'
import type { FailedJob } from '#shared/schemas/ops.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Count } from '#client/ui/count.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatDateTime, plural } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { Select } from '#client/ui/select.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { JobDialog } from './ops-job-dialog.tsx'
import { failedJobsQuery, useRetryAll, useRetryJobs } from './ops.api.ts'

const confirmAbove = 50
const keyOf = ({ queue, id }: Pick<FailedJob, 'queue' | 'id'>) => `${queue}:${id}`

function columns(
  selected: ReadonlySet<string>,
  toggle: (key: string) => void,
  open: (job: FailedJob) => void,
): readonly Column<FailedJob>[] {
  return [
    {
      key: 'select',
      title: 'Select',
      hideTitle: true,
      cell: (job) => (
        <Checkbox
          checked={selected.has(keyOf(job))}
          onChange={() => toggle(keyOf(job))}
          label={`Select ${job.id}`}
          hideLabel
        />
      ),
    },
    {
      key: 'job',
      title: 'Job',
      cell: ({ name }) => <span className="block max-w-64 truncate font-mono text-xs">{name}</span>,
    },
    { key: 'queue', title: 'Queue', cell: ({ queue }) => queue },
    {
      key: 'error',
      title: 'Error',
      cell: ({ error }) => <span className="block max-w-80 truncate font-mono text-xs text-danger-ink">{error}</span>,
    },
    {
      key: 'attempts',
      title: 'Attempts',
      align: 'right',
      cell: ({ attempts, maxAttempts }) => `${attempts ?? '–'} / ${maxAttempts}`,
    },
    {
      key: 'failed',
      title: 'Failed',
      wideOnly: true,
      cell: ({ failedAt }) => <span className="whitespace-nowrap">{failedAt ? formatDateTime(failedAt) : '–'}</span>,
    },
    {
      key: 'open',
      title: 'Actions',
      hideTitle: true,
      align: 'right',
      cell: (job) => (
        <span className="inline-flex gap-2">
          <RetryButton job={job} />
          <Button size="sm" aria-label={`View ${job.name} ${job.id}`} onClick={() => open(job)}>
            View
          </Button>
        </span>
      ),
    },
  ]
}

function RetryButton({ job: { queue, name, id } }: { job: FailedJob }) {
  const retry = useRetryJobs()
  return (
    <Button
      size="sm"
      icon={<RotateCw size={14} />}
      aria-label={`Retry ${name} ${id}`}
      busy={retry.isPending}
      onClick={() => retry.mutate([{ queue, id }])}
    >
      Retry
    </Button>
  )
}

/** Lists jobs that have failed on every attempt. */
export function FailedJobsCard({ queues }: { queues: readonly string[] }) {
  const [queue, setQueue] = useState('all')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<FailedJob>()
  const failed = useQuery(failedJobsQuery(queue))
  const jobs = failed.data?.jobs ?? []
  const total = failed.data?.total ?? 0
  const toggle = (key: string) => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    setSelected(next)
  }
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <h2 className="mr-auto flex items-center gap-2 text-sm font-semibold max-md:w-full">
          Failed jobs
          <Count value={total} tone="quiet" />
        </h2>
        <div className="w-40 max-md:w-full">
          <Select
            label="Queue"
            value={queue}
            onChange={setQueue}
            options={[{ value: 'all', label: 'All queues' }, ...queues.map((name) => ({ value: name, label: name }))]}
          />
        </div>
        <RetrySelected
          chosen={jobs.filter((job) => selected.has(keyOf(job)))}
          onRetried={() => setSelected(new Set())}
        />
        <RetryAll queue={queue} total={total} />
      </div>
      <QueryError query={failed} failure="Failed jobs could not be loaded" className="px-4 pb-3" />
      {failed.isPending ? (
        <div className="px-4 pb-3">
          <Loading label="Loading failed jobs">
            <SkeletonRows rows={3} />
          </Loading>
        </div>
      ) : null}
      {failed.data ? (
        <Table
          caption="Failed jobs"
          columns={columns(selected, toggle, setOpen)}
          rows={jobs}
          rowKey={keyOf}
          card={(job) => (
            <JobCard
              job={job}
              selected={selected.has(keyOf(job))}
              onToggle={() => toggle(keyOf(job))}
              onOpen={() => setOpen(job)}
            />
          )}
          {...(open && { selectedKey: keyOf(open) })}
          empty={noFailedJobs}
        />
      ) : null}
      {open ? <JobDialog job={open} onClose={() => setOpen(undefined)} /> : null}
    </Card>
  )
}

const noFailedJobs = (
  <EmptyState
    icon={<CircleCheck size={24} />}
    title="No failed jobs"
    hint="Jobs that run out of attempts appear here."
  />
)

function RetrySelected({ chosen, onRetried }: { chosen: FailedJob[]; onRetried: () => void }) {
  const retry = useRetryJobs()
  return (
    <Button
      disabled={chosen.length === 0}
      busy={retry.isPending}
      onClick={() =>
        retry.mutate(
          chosen.map(({ queue: name, id }) => ({ queue: name, id })),
          { onSuccess: onRetried },
        )
      }
    >
      Retry selected ({chosen.length})
    </Button>
  )
}

function RetryAll({ queue, total }: { queue: string; total: number }) {
  const [asking, setAsking] = useState(false)
  const retryAll = useRetryAll()
  const all = () => retryAll.mutate(queue, { onSuccess: () => setAsking(false) })
  return (
    <>
      <Button
        variant="primary"
        disabled={total === 0}
        busy={retryAll.isPending}
        onClick={() => (total > confirmAbove ? setAsking(true) : all())}
      >
        Retry all
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Retry ${plural(total, 'job')}?`}
        description="They all run again right away. Running a job twice is safe."
        confirmLabel="Retry all"
        busy={retryAll.isPending}
        onConfirm={all}
      />
    </>
  )
}

interface JobCardProps {
  job: FailedJob
  selected: boolean
  onToggle: () => void
  onOpen: () => void
}

function JobCard({ job, selected, onToggle, onOpen }: JobCardProps) {
  return (
    <div className="flex items-start gap-2">
      <Checkbox checked={selected} onChange={onToggle} label={`Select ${job.id}`} hideLabel />
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-2">
          <span className="truncate font-mono text-xs">{job.name}</span>
          <span className="num flex-none text-xs text-ink-2">
            {job.queue}, {job.attempts ?? '–'} of {job.maxAttempts}
          </span>
        </p>
        <p className="mt-1 line-clamp-2 font-mono text-xs wrap-anywhere text-danger-ink">{job.error}</p>
      </div>
      <Button size="sm" aria-label={`View ${job.name} ${job.id}`} onClick={onOpen}>
        View
      </Button>
    </div>
  )
}
