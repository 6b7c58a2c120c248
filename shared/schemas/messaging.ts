import Type, { type Static } from 'typebox'
import { attachmentNameMax, chatsPageMax, messageMax, messagesPageMax, messagesPerWindow } from '#shared/limits.ts'
import { Id, Nullable, Timestamp } from '#shared/values.ts'

export const MessageSubject = Type.Object({
  postId: Id,
  title: Type.String(),
  price: Nullable(Type.Number({ description: 'US dollars; the lowest price if there are several vehicles for sale' })),
  photoUrl: Nullable(Type.String()),
  /** Number of vehicles for sale; 1 if an auction sells one of several. Servers of the previous version omit it. */
  vehicleCount: Type.Optional(Type.Integer()),
  /** Name of the auctioned vehicle, such as `2021 Ford F-150`. Only for posts with several vehicles. */
  vehicle: Type.Optional(Type.String()),
})
export type MessageSubject = Static<typeof MessageSubject>

/** `seq` is the position in the chat, without gaps. `clientId` lets the sender's client recognize its optimistic message. */
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
  subject: Type.Optional(MessageSubject),
  /** True if a moderator has removed the message. Its content and attachment are then blank, but it keeps its position. */
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

export const Chat = Type.Object({
  id: Id,
  participants: Type.Array(ChatParticipant),
  messages: Type.Array(Message),
  unreadCount: Type.Integer(),
  lastActivity: Timestamp,
  createdAt: Timestamp,
  rev: Type.Integer(),
  lastSeq: Type.Integer(),
  readSeq: Type.Integer(),
  /** The last `seq` that the other participant has read. Null if either has read receipts off or has blocked the other. */
  otherReadSeq: Nullable(Type.Integer()),
  muted: Type.Boolean(),
  blocked: Type.Boolean(),
  /** Always null. Tabs that run an earlier release still expect this field. */
  context: Type.Null(),
})
export type Chat = Static<typeof Chat>

/** `Link: <…>; rel="next"` leads to the next page. `messages` is the number of newest messages to return per chat. */
export const ChatsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: chatsPageMax, default: chatsPageMax }),
  cursor: Type.Optional(Type.String({ maxLength: 300 })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  unread: Type.Boolean({ default: false }),
  messages: Type.Integer({ minimum: 1, maximum: messagesPerWindow, default: messagesPerWindow }),
})
export type ChatsQuery = Static<typeof ChatsQuery>

/** Opens the caller's chat with a dealer, and creates it if necessary. The other dealer is not notified. */
export const OpenChat = Type.Object({ dealerId: Id })
export type OpenChat = Static<typeof OpenChat>

/** POST /api/messages. The `Idempotency-Key` header becomes the message's `clientId`. */
export const NewMessage = Type.Object({
  chatId: Id,
  content: Type.String({ maxLength: messageMax }),
  attachmentUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
  attachmentName: Type.Optional(Type.String({ maxLength: attachmentNameMax })),
  postId: Type.Optional(Id),
})
export type NewMessage = Static<typeof NewMessage>

export const ChatPatch = Type.Object(
  { muted: Type.Optional(Type.Boolean()), blocked: Type.Optional(Type.Boolean()) },
  { minProperties: 1 },
)
export type ChatPatch = Static<typeof ChatPatch>

/** Marks messages up to `seq` as read. A lower `seq` than before has no effect. */
export const ReadPointer = Type.Object({ seq: Type.Integer({ minimum: 0 }) })
export type ReadPointer = Static<typeof ReadPointer>

/** `afterRev` requests later changes, oldest first; `beforeSeq` the page before a message; `aroundSeq` a page around a message. */
export const MessagesQuery = Type.Object({
  afterRev: Type.Optional(Type.Integer({ minimum: 0 })),
  beforeSeq: Type.Optional(Type.Integer({ minimum: 1 })),
  aroundSeq: Type.Optional(Type.Integer({ minimum: 1 })),
  limit: Type.Integer({ minimum: 1, maximum: messagesPageMax, default: 20 }),
})
export type MessagesQuery = Static<typeof MessagesQuery>

/** For API keys: requests the newest messages of one chat or of all chats of the caller. */
export const RecentMessagesQuery = Type.Object({
  chatId: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: messagesPageMax, default: 20 }),
})
export type RecentMessagesQuery = Static<typeof RecentMessagesQuery>

export const RecentMessage = Type.Object({ ...Message.properties, chatId: Id })
export type RecentMessage = Static<typeof RecentMessage>

/** `rev` is read before the messages. A client that applies the page has every change up to `rev`, unless `more` is true. */
export const MessagesPage = Type.Object({
  messages: Type.Array(Message),
  rev: Type.Integer(),
  lastSeq: Type.Integer(),
  more: Type.Boolean(),
})
export type MessagesPage = Static<typeof MessagesPage>

export const MessageSearch = Type.Object({ q: Type.String({ minLength: 2, maxLength: 200 }) })

export const FoundMessage = Type.Object({ chatId: Id, message: Message, other: ChatParticipant })
export type FoundMessage = Static<typeof FoundMessage>
