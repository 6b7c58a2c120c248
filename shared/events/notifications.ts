/** The kind of a dealer's data that changed. The event carries only ids, because the data that a tab may see depends on the account. */
export type InboxKind =
  | 'chat'
  | 'request'
  | 'connection'
  | 'deal'
  | 'notification'
  | 'subscription'
  | 'profile'
  | 'saved'
  | 'lane'
  | 'match'
  | 'push'

export interface InboxEvents {
  'inbox.changed': (event: { rev: number; what: InboxKind; id: string }) => void
}
