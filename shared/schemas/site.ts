import Type from 'typebox'
import type { Static } from 'typebox'
import { Email, Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { contactDealershipTypes, contactTopicKeys } from '../contact.ts'
import { visiblePattern } from '#shared/visible-text.ts'

/** `website` is a honeypot: people do not see the field, so only bots fill it in. */
export const ContactMessage = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 120, pattern: visiblePattern }),
  email: Email,
  company: Type.Optional(Type.String({ maxLength: 160 })),
  dealershipType: Type.Optional(Type.Enum(contactDealershipTypes)),
  topic: Type.Optional(Type.Enum(contactTopicKeys)),
  message: Type.String({ minLength: 1, maxLength: 5_000, pattern: visiblePattern }),
  website: Type.Optional(Type.String({ maxLength: 500 })),
})
export type ContactMessage = Static<typeof ContactMessage>

export const ContactEntry = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  company: Type.String(),
  dealershipType: Nullable(Type.String()),
  topic: Type.String(),
  message: Type.String(),
  createdAt: Timestamp,
  handledAt: Nullable(Timestamp),
  handledBy: Type.String(),
  /** The sender, if signed in. `apiAccess` is true if an admin has granted the sender API access. */
  dealer: Nullable(Type.Object({ id: Id, name: Type.String(), apiAccess: Type.Boolean() })),
  answers: Type.Array(Type.Object({ id: Id, content: Type.String(), sentBy: Type.String(), createdAt: Timestamp })),
})
export type ContactEntry = Static<typeof ContactEntry>

const contactStates = ['waiting', 'handled'] as const
export type ContactState = (typeof contactStates)[number]

export const ContactQuery = Type.Object({
  state: oneOf(contactStates, { default: 'waiting' }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type ContactQuery = Static<typeof ContactQuery>

export const ContactPage = Type.Object({
  messages: Type.Array(ContactEntry),
  waiting: Type.Integer(),
  nextCursor: Nullable(Type.String()),
})
export type ContactPage = Static<typeof ContactPage>

export const ContactHandling = Type.Object({ handled: Type.Boolean() })
export type ContactHandling = Static<typeof ContactHandling>

export const ContactAnswer = Type.Object({
  content: Type.String({ minLength: 1, maxLength: 5_000, pattern: visiblePattern }),
})
export type ContactAnswer = Static<typeof ContactAnswer>

export const ListSubscription = Type.Object({ email: Email, website: Type.Optional(Type.String({ maxLength: 500 })) })
export type ListSubscription = Static<typeof ListSubscription>

export const NewsletterSubscriber = Type.Object({
  id: Id,
  email: Type.String(),
  createdAt: Timestamp,
  confirmedAt: Nullable(Timestamp),
})
export type NewsletterSubscriber = Static<typeof NewsletterSubscriber>

export const SubscribersQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 200 })) })
export type SubscribersQuery = Static<typeof SubscribersQuery>

export const SubscribersPage = Type.Object({
  subscribers: Type.Array(NewsletterSubscriber),
  confirmed: Type.Integer(),
  nextCursor: Nullable(Type.String()),
})
export type SubscribersPage = Static<typeof SubscribersPage>

/** The text is emailed as plain text, without changes. */
export const IssueInput = Type.Object({
  subject: Type.String({ minLength: 1, maxLength: 150, pattern: visiblePattern }),
  text: Type.String({ minLength: 1, maxLength: 20_000, pattern: visiblePattern }),
})
export type IssueInput = Static<typeof IssueInput>

/** The changed fields of an issue. */
export const IssueChange = Type.Partial(IssueInput, { minProperties: 1 })
export type IssueChange = Static<typeof IssueChange>

export const NewsletterIssue = Type.Object({
  id: Id,
  ...IssueInput.properties,
  updatedAt: Timestamp,
  sentAt: Nullable(Timestamp),
  recipients: Type.Integer(),
  delivered: Type.Integer(),
})
export type NewsletterIssue = Static<typeof NewsletterIssue>

/** `updatedAt` comes from the preview. An issue that has changed since then is not sent. */
export const ReadIssue = Type.Object({ updatedAt: Timestamp })
export type ReadIssue = Static<typeof ReadIssue>

export const IssuePreview = Type.Object({
  subject: Type.String(),
  text: Type.String(),
  recipients: Type.Integer(),
  ...ReadIssue.properties,
})
export type IssuePreview = Static<typeof IssuePreview>

export const tickerLines = 5

/** A line of "On the wire now" on the sign-in page. It must reveal neither the seller nor the price. */
export const TickerLine = Type.Object({
  kind: oneOf(['live', 'active', 'sold']),
  /** Year, make and model: of the first available vehicle of an active post, otherwise of the post's first vehicle. */
  vehicle: Type.String(),
  state: Type.String(),
})
export type TickerLine = Static<typeof TickerLine>
