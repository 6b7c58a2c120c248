import Type, { type Static } from 'typebox'
import { contactDealershipTypes, contactTopicKeys, emailPattern } from '../contact.ts'

const Email = Type.String({ pattern: emailPattern, maxLength: 254 })

/**
 * POST /api/contact (spec B §3 "Contact form", §5): name, email and message are required.
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
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  company: Type.String(),
  dealershipType: Type.Union([Type.String(), Type.Null()]),
  topic: Type.String(),
  message: Type.String(),
  createdAt: Type.String(),
})
export type ContactEntry = Static<typeof ContactEntry>

/** POST /api/newsletter and POST /api/status/subscriptions */
export const ListSubscription = Type.Object({ email: Email, website: Type.Optional(Type.String({ maxLength: 500 })) })
export type ListSubscription = Static<typeof ListSubscription>
