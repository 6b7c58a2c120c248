import type { Settings } from '#shared/schemas/settings.ts'

export interface SettingsFacts {
  /** For what a running process keeps of a dealer, such as whether they are shown as online. */
  'settings.changed': { dealerId: string; settings: Settings }
}
