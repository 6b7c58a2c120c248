import Type from 'typebox'
import type { Static } from 'typebox'
import { Email, Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { contactDealershipTypes, contactTopicKeys } from '../contact.ts'

/**
 * POST /api/contact: name, email and message are required.
 * `website` is a field people never see; a filled one marks an automatic sender.
 */
export const ContactMessage = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }),
  email: Email,
  company: Type.Optional(Type.String({ maxLength: 160 })),
  dealershipType: Type.Optional(Type.Enum(contactDealershipTypes)),
  topic: Type.Optional(Type.Enum(contactTopicKeys)),
  message: Type.String({ minLength: 1, maxLength: 5_000, pattern: '\\S' }),
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
export const ContactAnswer = Type.Object({ content: Type.String({ minLength: 1, maxLength: 5_000, pattern: '\\S' }) })
export type ContactAnswer = Static<typeof ContactAnswer>

/** POST /api/newsletter and POST /api/status/subscriptions */
export const ListSubscription = Type.Object({ email: Email, website: Type.Optional(Type.String({ maxLength: 500 })) })
export type ListSubscription = Static<typeof ListSubscription>

/** How many lines GET /api/activity-ticker answers at most. */
export const tickerLines = 5

/** A line of "On the wire now" beside the sign-in form. Nothing tells whose vehicle it is, or what it costs. */
export const TickerLine = Type.Object({
  /** What its badge says. */
  kind: oneOf(['live', 'active', 'sold']),
  /** Year, make and model of the post's first vehicle. */
  vehicle: Type.String(),
  /** US state or Canadian province; empty where none was given. */
  state: Type.String(),
})
export type TickerLine = Static<typeof TickerLine>
