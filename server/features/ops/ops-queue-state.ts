import type { QueueFigures, QueueState } from '#shared/schemas/ops.ts'

const backlogWaiting = 200
const backlogMs = 30_000

type Numbers = Omit<QueueFigures, 'state' | 'why'>

/** The state of a queue and, in words, why: the worst that holds. */
export function judgeQueue({ paused, workers, failed, waiting, oldestMs }: Numbers): {
  state: QueueState
  why: string
} {
  if (paused) return { state: 'paused', why: 'Paused by hand: jobs are kept and wait until it is resumed.' }
  if (workers === 0)
    return { state: 'no_workers', why: 'No worker is connected: start a process with the worker role.' }
  if (failed > 0)
    return {
      state: 'failing',
      why: `${failed} ${failed === 1 ? 'job has' : 'jobs have'} used up all attempts: read the error, then retry or discard.`,
    }
  if (waiting > backlogWaiting || (oldestMs !== null && oldestMs > backlogMs))
    return {
      state: 'backlog',
      why: 'Jobs come in faster than they are done: add workers or wait for the peak to pass.',
    }
  return { state: 'healthy', why: 'Jobs are done as they come.' }
}
