import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isFailing } from '#shared/failing-queues.ts'
import type { JobRefs, OpsRange } from '#shared/schemas/ops.ts'
import { call, withQuery } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { toast } from '#client/ui/toast-store.ts'
import { plural } from '#client/ui/format.ts'

const minuteMs = 60_000
export const opsKey = ['/api/ops/queues'] as const

/** Live `ops.queues` events update the figures. The curves are refetched once a minute. */
export const opsQuery = (range: OpsRange) =>
  queryOptions({
    queryKey: [...opsKey, range],
    queryFn: () => call(withQuery('/api/ops/queues', { range })),
    refetchInterval: minuteMs,
    ...liveQuery,
  })

export function useFailingQueues(range: OpsRange): number {
  const { role } = useCurrentDealer()
  const { data } = useQuery({
    ...opsQuery(range),
    enabled: role !== 'dealer',
    select: ({ figures }) => figures.queues.filter(isFailing).length,
  })
  return data ?? 0
}

export const failedKey = ['/api/ops/jobs/failed'] as const
/** Milliseconds between refetches. Live events update the list, but miss some changes, such as one failure replaced by another. */
const failedEveryMs = 5_000

export const failedJobsQuery = (queue: string) =>
  queryOptions({
    queryKey: [...failedKey, queue],
    queryFn: () => call(withQuery('/api/ops/jobs/failed', { queue: queue === 'all' ? undefined : queue })),
    refetchInterval: failedEveryMs,
    ...liveQuery,
  })

function useOpsAct<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  done: (answer: Answer, input: Input) => string,
) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, input) => {
      toast({ title: done(answer, input) })
      return Promise.all([
        cache.invalidateQueries({ queryKey: failedKey }),
        cache.invalidateQueries({ queryKey: opsKey }),
      ])
    },
    meta: { refused: 'Error' },
  })
}

export const useRetryJobs = () =>
  useOpsAct(
    (jobs: JobRefs['jobs']) => call('/api/ops/jobs/retry', { method: 'POST', body: { jobs } }),
    ({ count }) => `${plural(count, 'job')} retried`,
  )
export const useRetryAll = () =>
  useOpsAct(
    (queue: string) => call('/api/ops/jobs/retry-all', { method: 'POST', body: queue === 'all' ? {} : { queue } }),
    ({ count }) => `${plural(count, 'job')} retried`,
  )
export const useDiscardJobs = () =>
  useOpsAct(
    (jobs: JobRefs['jobs']) => call('/api/ops/jobs/discard', { method: 'POST', body: { jobs } }),
    ({ count }) => `${plural(count, 'job')} discarded`,
  )
export const usePauseQueue = () =>
  useOpsAct(
    ({ name, pause }: { name: string; pause: boolean }) =>
      call(`/api/ops/queues/${name}/${pause ? 'pause' : 'resume'}`, { method: 'POST', body: {} }),
    (_answer, { name, pause }) => `${name} ${pause ? 'paused' : 'resumed'}`,
  )
