import { call } from '#client/lib/http/api.ts'
import type { MailingList } from '#shared/contact.ts'
import type { ContactMessage, ListSubscription } from '#shared/schemas/site.ts'

export interface PublicPlan {
  id: string
  name: string
  price: number
  features: readonly string[]
}

export const loadPlans = () => call('/api/subscription-plans')
export const loadTicker = () => call('/api/activity-ticker')
export const loadStatus = () => call('/api/status')
export const loadIncidents = () => call('/api/status/incidents')
export const openDemo = () => call('/api/auth/create-dummy', { method: 'POST', body: {} })
export const sendContact = (message: ContactMessage) => call('/api/contact', { method: 'POST', body: message })

const listPaths = { newsletter: '/api/newsletter', status: '/api/status/subscriptions' } as const satisfies Record<
  MailingList,
  string
>
/** Requests a confirmation email. The address is added to the list only when the emailed link is opened. */
export const subscribe = (list: MailingList, subscription: ListSubscription) =>
  call(listPaths[list], { method: 'POST', body: subscription })
