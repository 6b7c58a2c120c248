/** What the contact form and the mailing lists agree on. Apart from the schemas, so that a page needs no schema library. */

/** The documented choices of the contact form. */
export const contactDealershipTypes = ['independent', 'franchise', 'wholesaler', 'auction', 'other'] as const
export type ContactDealershipType = (typeof contactDealershipTypes)[number]

/** Where a message is meant to go; links on other pages set it with `?topic=`. */
export const contactTopicKeys = ['general', 'sales', 'api', 'careers', 'privacy'] as const
export type ContactTopic = (typeof contactTopicKeys)[number]

/** What a mailing list is about; each is confirmed and left by itself. */
export const mailingLists = ['newsletter', 'status'] as const
export type MailingList = (typeof mailingLists)[number]
