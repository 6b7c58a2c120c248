import type { StatusServiceKey } from '#shared/schemas/ops.ts'

export type IncidentNews = 'written' | 'over'

export interface StatusJobs {
  /** A service went down or recovered. Queues one email per subscriber. */
  'status.notify': { service: StatusServiceKey; state: 'down' | 'operational' }
  'mail.statusNotice': { subscriberId: string; service: StatusServiceKey; state: 'down' | 'operational' }
  /** An incident was published or resolved. Queues one email per subscriber. */
  'incident.notify': { incidentId: string; news: IncidentNews }
  'mail.incident': { subscriberId: string; incidentId: string; news: IncidentNews }
}
