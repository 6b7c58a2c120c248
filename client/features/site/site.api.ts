import { call } from '#client/lib/api.ts'
import type { MailingList } from '#shared/contact.ts'
import type { ContactMessage, ListSubscription } from '#shared/schemas/site.ts'

/** The part of a plan that the public pages show. `price` is in dollars per month. */
export interface PublicPlan {
  id: string
  name: string
  price: number
  features: readonly string[]
}

export const loadPlans = () => call('/api/subscription-plans')
/** What happens in the network, as far as anybody may know it. */
export const loadTicker = () => call('/api/activity-ticker')
export const loadStatus = () => call('/api/status')
export const loadIncidents = () => call('/api/status/incidents')
export const sendContact = (message: ContactMessage) => call('/api/contact', { method: 'POST', body: message })

const listPaths = { newsletter: '/api/newsletter', status: '/api/status/subscriptions' } as const satisfies Record<
  MailingList,
  string
>
/** Asks for a confirmation mail; the address is on the list only after its link was opened. */
export const subscribe = (list: MailingList, subscription: ListSubscription) =>
  call(listPaths[list], { method: 'POST', body: subscription })
