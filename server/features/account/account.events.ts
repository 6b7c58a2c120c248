import type { Settings } from '#shared/schemas/account.ts'

export type AccessChange =
  | 'password.reset'
  | 'password.firstReset'
  | 'password.changed'
  | 'email.changed'
  | 'email.given'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.reset'
  | 'recoveryCode.used'
  | 'apiKey.made'

export interface AccountJobs {
  /** Mails the confirmation link for a pending address. */
  'mail.emailChange': { dealerId: string }
  /** Sent to the address at the time of the change, which is stored nowhere else. */
  'mail.accessChanged': { to: string; what: AccessChange }
  /** Tells the new address assigned by an admin, with a link to confirm it or to choose a password. */
  'mail.addressGiven': { dealerId: string }
  'export.make': { exportId: string }
}

export interface SettingsDomainEvents {
  /** For data about a dealer that processes cache, such as online visibility. */
  'settings.changed': { dealerId: string; settings: Settings }
}
