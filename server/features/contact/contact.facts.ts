export interface ContactJobs {
  /** Brings a message from the contact form to the support mailbox. */
  'mail.contact': { messageId: string }
}
