import type { Routes } from '#shared/routes.ts'
import { summaries } from './api-summaries.ts'

type Call = keyof Routes

/** Summary of each API call. Compilation fails if a call has none. */
const summaryOf: Readonly<Record<Call, string>> = {
  ...summaries.auth,
  ...summaries.account,
  ...summaries.onboarding,
  ...summaries.billing,
  ...summaries.posts,
  ...summaries.posting,
  ...summaries.comments,
  ...summaries.dealers,
  ...summaries.dashboard,
  ...summaries.deals,
  ...summaries.reviews,
  ...summaries.auctions,
  ...summaries.lane,
  ...summaries.messaging,
  ...summaries.notifications,
  ...summaries.push,
  ...summaries.saved,
  ...summaries.wanted,
  ...summaries.search,
  ...summaries.find,
  ...summaries.uploads,
  ...summaries.promotions,
  ...summaries.site,
  ...summaries.moderation,
  ...summaries.admin,
  ...summaries.ops,
}

/** Descriptions of the OpenAPI tags. There is one tag per feature. */
export const tagDescriptions: Readonly<Record<keyof typeof summaries, string>> = {
  auth: 'Sign-in and sign-out, second factors, passkeys, passwords and Google accounts.',
  account: 'Settings, API keys, data export and account deletion.',
  onboarding: "A new dealer's first profile.",
  billing: 'Plans, checkout, payments and the webhook of the payment provider.',
  posts: 'The feed, single posts, and changes by their authors.',
  posting: 'VIN decoding and spreadsheet import for posts.',
  comments: 'Comments on a post.',
  dealers: 'The directory, profiles, avatars and connections.',
  dashboard: 'Sales and activity counts for the dashboard.',
  deals: 'Offers, deals and their documents.',
  reviews: 'Reviews of completed deals.',
  auctions: 'Auctions and bids.',
  lane: 'The Lane, its positions and its auctions.',
  messaging: 'Chats and messages.',
  notifications: 'Notifications and their settings.',
  push: 'Browsers that receive push messages.',
  saved: 'The watchlist and saved searches.',
  wanted: 'Buy orders, their matches, and demand across the network.',
  search: 'Search across dealers, posts, deals and chats.',
  find: 'Vehicle search by filters, with counts.',
  uploads: 'Photos, attachments and other files.',
  promotions: 'Promotions, announcements and the test email.',
  site: 'Contact messages, the newsletter and status emails.',
  moderation: 'Reports and decisions on them.',
  admin: 'Dealers, licenses, network rules, backups and revenue, for admins.',
  ops: 'Queues and failed jobs, for operations staff.',
}

const tagOf = new Map(
  Object.entries(summaries).flatMap(([tag, calls]) => Object.keys(calls).map((call) => [call, tag] as const)),
)

const publicCalls: ReadonlySet<string> = new Set<Call>([
  'GET /api/auth/status',
  'GET /api/auth/joining',
  'POST /api/auth/login',
  'POST /api/auth/signup',
  'POST /api/auth/setup',
  'POST /api/auth/create-dummy',
  'POST /api/auth/logout',
  'POST /api/auth/password/forgot',
  'POST /api/auth/password/reset',
  'POST /api/auth/keys/revoke',
  'POST /api/auth/email/verify',
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
  'POST /api/auth/google/link',
  'POST /api/auth/second-factor/options',
  'POST /api/auth/second-factor',
  'DELETE /api/auth/second-factor',
  'POST /api/auth/passkeys/sign-in/options',
  'POST /api/auth/passkeys/sign-in',
  'GET /api/subscription-plans',
  'GET /api/payment-config',
  'GET /api/status',
  'GET /api/status/incidents',
  'GET /api/activity-ticker',
  'POST /api/contact',
  'POST /api/newsletter',
  'POST /api/status/subscriptions',
  'GET /api/lists/:list/confirm',
  'GET /api/lists/:list/leave',
  'POST /api/lists/:list/leave',
  'POST /api/webhooks/stripe',
  'PUT /api/objects/:id',
  'POST /api/profile/email/confirm',
  'GET /api/demo/mail',
])

interface Operation {
  /** Must be unique, because generated clients use it as the function name. */
  operationId: string
  tag: string
  summary: string
  isPublic: boolean
}

const nameOfPath = (url: string): string =>
  url
    .replace(/^\/api\//, '')
    .split(/[/.-]/)
    .map((part) => (part.startsWith(':') ? `By${upperFirst(part.slice(1))}` : upperFirst(part)))
    .join('')

const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const isCall = (call: string): call is Call => call in summaryOf

export function operationOf(method: string, url: string): Operation | undefined {
  const call = `${method} ${url}`
  if (!isCall(call)) return undefined
  return {
    operationId: method.toLowerCase() + nameOfPath(url),
    tag: tagOf.get(call) ?? 'other',
    summary: summaryOf[call],
    isPublic: publicCalls.has(call),
  }
}
