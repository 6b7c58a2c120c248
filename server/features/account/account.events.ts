import type { Settings } from '#shared/schemas/account.ts'

/** What has changed about who gets into an account, as its owner is told. */
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
  /** Mails the link that confirms the address which waits for this dealer. */
  'mail.emailChange': { dealerId: string }
  /** To the address that the account had at that moment, which is nowhere to be read any more when the job runs. */
  'mail.accessChanged': { to: string; what: AccessChange }
  /** Tells the new address which an admin has given an account, with a link to confirm it or to choose a password. */
  'mail.addressGiven': { dealerId: string }
  /** Puts everything of a dealer's own into one file. */
  'export.make': { exportId: string }
}

export interface SettingsDomainEvents {
  /** For what a running process keeps of a dealer, such as whether they are shown as online. */
  'settings.changed': { dealerId: string; settings: Settings }
}
