import type { OpsEvents } from '#shared/events/ops.ts'
import type { OpsOverview } from '#shared/schemas/ops.ts'
import type { LiveHandlers } from '#client/lib/live.ts'
import { opsKey } from './ops.api.ts'

export const opsLive: LiveHandlers<OpsEvents> = {
  'ops.queues': (cache, figures) =>
    void cache.setQueriesData<OpsOverview>({ queryKey: opsKey }, (overview) =>
      overview && overview.figures.at < figures.at ? { ...overview, figures } : overview,
    ),
}
