export interface ContactJobs {
  'mail.contact': { messageId: string }
  'mail.contactAnswer': { answerId: string }
}

export interface NewsletterJobs {
  /** Emails the owner of an address a link to confirm the subscription. */
  'mail.listConfirm': { subscriberId: string }
  'newsletter.send': { issueId: string }
  'mail.newsletter': { issueId: string; subscriberId: string }
}
