import type { StatusServiceKey } from '#shared/schemas/ops.ts'

export interface StatusJobs {
  /** A service went down or is back: one mail job for each subscriber. */
  'status.notify': { service: StatusServiceKey; state: 'down' | 'operational' }
  'mail.statusNotice': { subscriberId: string; service: StatusServiceKey; state: 'down' | 'operational' }
}
