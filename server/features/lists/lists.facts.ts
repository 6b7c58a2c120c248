export interface ListJobs {
  /** Asks the owner of an address to confirm that they want the mails of a list. */
  'mail.listConfirm': { subscriberId: string }
}
