import type { StatusServiceKey } from '#shared/schemas/ops.ts'

/** What subscribers of the status page hear of an incident. */
export type IncidentNews = 'written' | 'over'

export interface StatusJobs {
  /** A service went down or is back: one mail job for each subscriber. */
  'status.notify': { service: StatusServiceKey; state: 'down' | 'operational' }
  'mail.statusNotice': { subscriberId: string; service: StatusServiceKey; state: 'down' | 'operational' }
  /** An admin has written an incident, or has said that it is over: one mail job for each subscriber. */
  'incident.notify': { incidentId: string; news: IncidentNews }
  'mail.incident': { subscriberId: string; incidentId: string; news: IncidentNews }
}
