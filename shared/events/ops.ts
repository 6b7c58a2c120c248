import type { OpsFigures } from '#shared/schemas/ops.ts'

export interface OpsEvents {
  /** The figures of the queue screen, at most once a second while somebody looks. */
  'ops.queues': (event: OpsFigures) => void
}
