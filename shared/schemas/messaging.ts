import Type, { type Static } from 'typebox'
import { attachmentNameMax, chatsPageMax, messageMax, messagesPageMax, messagesPerWindow } from '#shared/limits.ts'
import { Id, Nullable, Timestamp } from '#shared/values.ts'

/** The post that a message was sent from, as it is now. */
export const MessageSubject = Type.Object({
  postId: Id,
  title: Type.String(),
  price: Nullable(Type.Number({ description: 'US dollars; for a post with one vehicle' })),
  photoUrl: Nullable(Type.String()),
})
export type MessageSubject = Static<typeof MessageSubject>

/**
 * A message. `seq` is its place in the chat, without gaps; `clientId` is the sender's own key for it, by
 * which a sender recognises an answer or an event as the message it drew at once.
 */
export const Message = Type.Object({
  id: Id,
  seq: Type.Integer(),
  rev: Type.Integer(),
  senderId: Id,
  content: Type.String(),
  createdAt: Timestamp,
  clientId: Id,
  attachmentUrl: Nullable(Type.String()),
  attachmentName: Nullable(Type.String()),
  /** What it is about, where it was sent from a post that is still there. */
  subject: Type.Optional(MessageSubject),
  /** A moderator took it away: content and attachment are gone, its place stays. Absent otherwise. */
  hidden: Type.Optional(Type.Boolean()),
})
export type Message = Static<typeof Message>

export const ChatParticipant = Type.Object({
  id: Id,
  name: Type.String(),
  avatar: Nullable(Type.String()),
  dealershipName: Type.String(),
})
export type ChatParticipant = Static<typeof ChatParticipant>

/** A chat as one of its two participants sees it. */
export const Chat = Type.Object({
  id: Id,
  /** Both, the caller included. */
  participants: Type.Array(ChatParticipant),
  /** The last ones, oldest first: 20 unless fewer were asked for. */
  messages: Type.Array(Message),
  /** `lastSeq - readSeq`: always computed. */
  unreadCount: Type.Integer(),
  lastActivity: Timestamp,
  createdAt: Timestamp,
  rev: Type.Integer(),
  lastSeq: Type.Integer(),
  readSeq: Type.Integer(),
  /** How far the other has read; null where either keeps receipts to themselves or has blocked the other. */
  otherReadSeq: Nullable(Type.Integer()),
  muted: Type.Boolean(),
  /** The caller takes no messages from the other. */
  blocked: Type.Boolean(),
  /** Nothing: what a chat is about hangs on its messages. For tabs of an earlier release. */
  context: Type.Null(),
})
export type Chat = Static<typeof Chat>

/**
 * GET /api/chats: the most recently active first. `X-Total-Count` says how many there are, `Link: <…>; rel="next"` where
 * the next page is. `search` finds in the other's name and dealership, `unread` leaves only what is unread,
 * `messages` is how many last messages each chat brings.
 */
export const ChatsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: chatsPageMax, default: chatsPageMax }),
  cursor: Type.Optional(Type.String({ maxLength: 300 })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  unread: Type.Boolean({ default: false }),
  messages: Type.Integer({ minimum: 1, maximum: messagesPerWindow, default: messagesPerWindow }),
})
export type ChatsQuery = Static<typeof ChatsQuery>

/** POST /api/chats: opens the chat with a dealer, made when there is none. It changes nothing for the other. */
export const OpenChat = Type.Object({ dealerId: Id })
export type OpenChat = Static<typeof OpenChat>

/** POST /api/messages. The Idempotency-Key header is the message's `clientId`. */
export const NewMessage = Type.Object({
  chatId: Id,
  content: Type.String({ maxLength: messageMax }),
  attachmentUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
  attachmentName: Type.Optional(Type.String({ maxLength: attachmentNameMax })),
  /** The post that it is sent from, which shows above it. */
  postId: Type.Optional(Id),
})
export type NewMessage = Static<typeof NewMessage>

/** PATCH /api/chats/{id}: what is absent stays as it is. */
export const ChatPatch = Type.Object(
  { muted: Type.Optional(Type.Boolean()), blocked: Type.Optional(Type.Boolean()) },
  { minProperties: 1 },
)
export type ChatPatch = Static<typeof ChatPatch>

/** PUT /api/chats/{id}/read: everything up to `seq` has been seen. Never goes back. */
export const ReadPointer = Type.Object({ seq: Type.Integer({ minimum: 0 }) })
export type ReadPointer = Static<typeof ReadPointer>

/**
 * GET /api/chats/{id}/messages: the newest page; `afterRev` gives what changed since, oldest first;
 * `beforeSeq` the page before a message; `aroundSeq` the page with a message in its middle.
 */
export const MessagesQuery = Type.Object({
  afterRev: Type.Optional(Type.Integer({ minimum: 0 })),
  beforeSeq: Type.Optional(Type.Integer({ minimum: 1 })),
  aroundSeq: Type.Optional(Type.Integer({ minimum: 1 })),
  limit: Type.Integer({ minimum: 1, maximum: messagesPageMax, default: 20 }),
})
export type MessagesQuery = Static<typeof MessagesQuery>

/** GET /api/messages, for API keys: of one chat, or the newest of all chats of the caller. */
export const RecentMessagesQuery = Type.Object({
  chatId: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: messagesPageMax, default: 20 }),
})
export type RecentMessagesQuery = Static<typeof RecentMessagesQuery>

/** A message with the chat it stands in. */
export const RecentMessage = Type.Object({ ...Message.properties, chatId: Id })
export type RecentMessage = Static<typeof RecentMessage>

/** `rev` was read before the rows: whoever has applied them holds everything up to it, unless `more`. */
export const MessagesPage = Type.Object({
  /** Oldest first. */
  messages: Type.Array(Message),
  rev: Type.Integer(),
  lastSeq: Type.Integer(),
  /** There are further rows in the direction asked for. */
  more: Type.Boolean(),
})
export type MessagesPage = Static<typeof MessagesPage>

/** GET /api/chats/search */
export const MessageSearch = Type.Object({ q: Type.String({ minLength: 2, maxLength: 200 }) })

/** A found message with the chat it stands in, newest first. */
export const FoundMessage = Type.Object({ chatId: Id, message: Message, other: ChatParticipant })
export type FoundMessage = Static<typeof FoundMessage>
