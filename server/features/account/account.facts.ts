export interface AccountJobs {
  /** Mails the link that confirms the address which waits for this dealer. */
  'mail.emailChange': { dealerId: string }
}
