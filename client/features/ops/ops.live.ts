import type { OpsEvents } from '#shared/events/ops.ts'
import type { OpsFigures, OpsOverview } from '#shared/schemas/ops.ts'
import type { LiveHandlers } from '#client/lib/live/live-queries.ts'
import { failedKey, opsKey } from './ops.api.ts'

const failedIn = ({ queues }: OpsFigures) => queues.map(({ failed }) => failed).join()

export const opsLive: LiveHandlers<OpsEvents> = {
  'ops.queues': (cache, figures) => {
    let failedMoved = false
    cache.setQueriesData<OpsOverview>({ queryKey: opsKey }, (overview) => {
      if (!overview || overview.figures.at >= figures.at) return overview
      failedMoved ||= failedIn(overview.figures) !== failedIn(figures)
      return { ...overview, figures }
    })
    if (failedMoved) void cache.invalidateQueries({ queryKey: failedKey })
  },
}
