import Type from 'typebox'
import type { Static } from 'typebox'
import { Email, Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { contactDealershipTypes, contactTopicKeys } from '../contact.ts'
import { visiblePattern } from '#shared/visible-text.ts'

/**
 * POST /api/contact: name, email and message are required.
 * `website` is a field people never see; a filled one marks an automatic sender.
 */
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

/** One stored message, as an administrator sees it. */
export const ContactEntry = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  company: Type.String(),
  dealershipType: Nullable(Type.String()),
  topic: Type.String(),
  message: Type.String(),
  createdAt: Timestamp,
  /** Null while it waits. */
  handledAt: Nullable(Timestamp),
  handledBy: Type.String(),
  /** Who wrote, where they were signed in; `apiAccess` where an admin has given it. */
  dealer: Nullable(Type.Object({ id: Id, name: Type.String(), apiAccess: Type.Boolean() })),
  /** What was mailed back, oldest first. */
  answers: Type.Array(Type.Object({ id: Id, content: Type.String(), sentBy: Type.String(), createdAt: Timestamp })),
})
export type ContactEntry = Static<typeof ContactEntry>

const contactStates = ['waiting', 'handled'] as const
export type ContactState = (typeof contactStates)[number]

/** GET /api/admin/contact-messages: the newest first. `cursor` comes from the page before. */
export const ContactQuery = Type.Object({
  state: oneOf(contactStates, { default: 'waiting' }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type ContactQuery = Static<typeof ContactQuery>

export const ContactPage = Type.Object({
  messages: Type.Array(ContactEntry),
  /** Of all, whichever are asked for. */
  waiting: Type.Integer(),
  nextCursor: Nullable(Type.String()),
})
export type ContactPage = Static<typeof ContactPage>

/** POST /api/admin/contact-messages/{id}: somebody has answered it, or it waits again. */
export const ContactHandling = Type.Object({ handled: Type.Boolean() })
export type ContactHandling = Static<typeof ContactHandling>

/** POST /api/admin/contact-messages/{id}/answers: mailed to who wrote, and kept. */
export const ContactAnswer = Type.Object({
  content: Type.String({ minLength: 1, maxLength: 5_000, pattern: visiblePattern }),
})
export type ContactAnswer = Static<typeof ContactAnswer>

/** POST /api/newsletter and POST /api/status/subscriptions */
export const ListSubscription = Type.Object({ email: Email, website: Type.Optional(Type.String({ maxLength: 500 })) })
export type ListSubscription = Static<typeof ListSubscription>

/** Somebody on the newsletter's list. `confirmedAt` is null until they have opened the link in the mail. */
export const NewsletterSubscriber = Type.Object({
  id: Id,
  email: Type.String(),
  createdAt: Timestamp,
  confirmedAt: Nullable(Timestamp),
})
export type NewsletterSubscriber = Static<typeof NewsletterSubscriber>

/** GET /api/admin/newsletter/subscribers: the newest first. `cursor` comes from the page before. */
export const SubscribersQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 200 })) })
export type SubscribersQuery = Static<typeof SubscribersQuery>

export const SubscribersPage = Type.Object({
  subscribers: Type.Array(NewsletterSubscriber),
  /** Of all: who receives an issue. */
  confirmed: Type.Integer(),
  nextCursor: Nullable(Type.String()),
})
export type SubscribersPage = Static<typeof SubscribersPage>

/** POST /api/admin/newsletter/issues, and PUT of a draft: plain text, as it is mailed. */
export const IssueInput = Type.Object({
  subject: Type.String({ minLength: 1, maxLength: 150, pattern: visiblePattern }),
  text: Type.String({ minLength: 1, maxLength: 20_000, pattern: visiblePattern }),
})
export type IssueInput = Static<typeof IssueInput>

/** An issue of the newsletter; a draft until it is sent. */
export const NewsletterIssue = Type.Object({
  id: Id,
  ...IssueInput.properties,
  updatedAt: Timestamp,
  sentAt: Nullable(Timestamp),
  /** Whom it went out to, and how many of the mails have left. */
  recipients: Type.Integer(),
  delivered: Type.Integer(),
})
export type NewsletterIssue = Static<typeof NewsletterIssue>

/** POST /api/admin/newsletter/issues/{id}/send: what goes out is what was previewed, which another admin may have changed since. */
export const ReadIssue = Type.Object({ updatedAt: Timestamp })
export type ReadIssue = Static<typeof ReadIssue>

/** GET /api/admin/newsletter/issues/{id}/preview: the mail as a subscriber gets it. */
export const IssuePreview = Type.Object({
  subject: Type.String(),
  text: Type.String(),
  recipients: Type.Integer(),
  ...ReadIssue.properties,
})
export type IssuePreview = Static<typeof IssuePreview>

/** How many lines GET /api/activity-ticker answers at most. */
export const tickerLines = 5

/** A line of "On the wire now" beside the sign-in form. Nothing tells whose vehicle it is, or what it costs. */
export const TickerLine = Type.Object({
  /** What its badge says. */
  kind: oneOf(['live', 'active', 'sold']),
  /** Year, make and model of the post's first vehicle, of an active one's first that is available. */
  vehicle: Type.String(),
  /** US state or Canadian province; empty where none was given. */
  state: Type.String(),
})
export type TickerLine = Static<typeof TickerLine>
