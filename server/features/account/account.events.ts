import type { Settings } from '#shared/schemas/account.ts'

export interface AccountJobs {
  'export.make': { exportId: string }
}

export interface SettingsDomainEvents {
  /** Updates the settings that processes have cached, such as online visibility. */
  'settings.changed': { dealerId: string; settings: Settings }
}
