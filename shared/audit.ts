/** Kinds of audit subjects that identify a person. Must match is-subject-gone.sql, which checks whether a subject was deleted. */
export const personalSubjects = ['comment', 'contact', 'deal', 'dealer', 'message', 'post', 'user'] as const
const networkSubjects = [
  'addon',
  'backup',
  'demo',
  'incident',
  'network',
  'newsletter',
  'plan',
  'promotion',
  'queue',
] as const
export type AuditSubject = (typeof personalSubjects | typeof networkSubjects)[number]

export type AuditNoun =
  | 'user'
  | 'access'
  | 'license'
  | 'session'
  | 'factor'
  | 'note'
  | 'order'
  | 'network'
  | 'deal'
  | 'auction'
  | 'promotion'
  | 'announcement'
  | 'plan'
  | 'addon'
  | 'subscription'
  | 'gift'
  | 'invoice'
  | 'queue'
  | 'job'
  | 'report'
  | 'backup'
  | 'incident'
  | 'newsletter'
  | 'contact'
