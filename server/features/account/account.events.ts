import type { Settings } from '#shared/schemas/account.ts'

export interface AccountJobs {
  'export.make': { exportId: string }
}

export interface SettingsDomainEvents {
  /** Updates settings that processes cache, such as online visibility. */
  'settings.changed': { dealerId: string; settings: Settings }
}
