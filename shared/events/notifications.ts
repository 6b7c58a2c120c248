/** The kind of data that changed. The events carry only ids, because each account may see different data. */
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
