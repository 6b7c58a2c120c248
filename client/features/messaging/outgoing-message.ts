/** A message on its way: its client id is the idempotency key for as long as it lives. */
export interface OutgoingMessage {
  clientId: string
  chatId: string
  content: string
  attachmentUrl?: string
  attachmentName?: string
}
