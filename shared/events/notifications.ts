/** What of a dealer's own changed. Carries ids only: what one may see depends on who one is. */
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

export interface InboxEvents {
  'inbox.changed': (event: { rev: number; what: InboxKind; id: string }) => void
}
