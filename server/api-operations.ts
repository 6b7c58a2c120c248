import type { Routes } from '#shared/routes.ts'
import { summaries } from './api-summaries.ts'

type Call = keyof Routes

/** Does not compile if a call has no summary. */
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
  /** Unique: generated clients use it as the function name. */
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
