export interface ContactJobs {
  /** Sends a contact message to the support mailbox. */
  'mail.contact': { messageId: string }
  /** Sends an admin's answer. */
  'mail.contactAnswer': { answerId: string }
}

export interface NewsletterJobs {
  /** Asks the owner of an address to confirm the subscription. */
  'mail.listConfirm': { subscriberId: string }
  /** Queues the mails of an issue. */
  'newsletter.send': { issueId: string }
  /** Sends an issue to one subscriber. */
  'mail.newsletter': { issueId: string; subscriberId: string }
}
