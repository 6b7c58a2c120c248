import type { OpsFigures } from '#shared/schemas/ops.ts'

export interface OpsEvents {
  'ops.queues': (event: OpsFigures) => void
}
