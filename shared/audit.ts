/** What an act of the audit log can be about that shows somebody: is-subject-gone.sql tells when they are gone. */
export const personalSubjects = ['comment', 'contact', 'deal', 'dealer', 'message', 'post', 'user'] as const
/** What the network itself has; `demo` is all of its demo dealers. */
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

/** What the first word of an action is; the log is shown by them. */
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
