// This file is separate from the schemas, so that public pages do not bundle the schema library.

export const contactDealershipTypes = ['independent', 'franchise', 'wholesaler', 'auction', 'other'] as const
export type ContactDealershipType = (typeof contactDealershipTypes)[number]

/** Topics of the contact form. Links preselect a topic with `?topic=`. */
export const contactTopicKeys = ['general', 'sales', 'api', 'careers', 'privacy'] as const
export type ContactTopic = (typeof contactTopicKeys)[number]

export const mailingLists = ['newsletter', 'status'] as const
export type MailingList = (typeof mailingLists)[number]
