import type { InboxKind } from '#shared/events/inbox.ts'

export interface InboxFacts {
  /** Something of the dealer's own changed; `rev` is their gap-free number. */
  'inbox.changed': { dealerId: string; rev: number; what: InboxKind; id: string }
}
