export interface ContactJobs {
  'mail.contact': { messageId: string }
  'mail.contactAnswer': { answerId: string }
}

export interface NewsletterJobs {
  'mail.listConfirm': { subscriberId: string }
  'newsletter.send': { issueId: string }
  'mail.newsletter': { issueId: string; subscriberId: string }
}
