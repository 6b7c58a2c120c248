export interface ContactJobs {
  /** Brings a message from the contact form to the support mailbox. */
  'mail.contact': { messageId: string }
  /** Brings an admin's answer to who wrote. */
  'mail.contactAnswer': { answerId: string }
}

export interface NewsletterJobs {
  /** Asks the owner of an address to confirm that they want the mails of a list. */
  'mail.listConfirm': { subscriberId: string }
  /** Asks for the mail of an issue to each of its recipients. */
  'newsletter.send': { issueId: string }
  /** Brings an issue to one of them. */
  'mail.newsletter': { issueId: string; subscriberId: string }
}
