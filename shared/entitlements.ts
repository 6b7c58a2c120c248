// The features of each plan. Server checks, error messages, price cards, the plan page and help pages all read this table.

/** `card` is the line on a price card. `act` completes sentences such as `Subscribe to the Premium Plan to …`. */
const words = {
  posting: { card: 'Post inventory', act: 'post inventory' },
  bidding: { card: 'Bid and make offers', act: 'bid' },
  messaging: { card: 'Messaging', act: 'write messages' },
  marketPosition: { card: 'AI market position', act: 'see the AI market position' },
  analytics: { card: 'Sales analytics', act: 'see sales analytics' },
  billOfSale: { card: 'Bill of Sale', act: 'use the bill of sale' },
  apiAccess: { card: 'API access', act: 'use API keys' },
} as const

export type Entitlement = keyof typeof words
export const entitlements = Object.keys(words) as readonly Entitlement[]

interface PlanTerms {
  name: string
  contains?: 'basic' | 'premium'
  connectionLimit: number | null
  gives: readonly Entitlement[]
}

/** Plans from smallest to largest. Price cards list messaging, although messages work without a plan, too. */
const plans = {
  basic: { name: 'Basic Plan', connectionLimit: 50, gives: ['posting', 'bidding', 'messaging'] },
  premium: {
    name: 'Premium Plan',
    contains: 'basic',
    connectionLimit: null,
    gives: ['marketPosition', 'analytics', 'billOfSale'],
  },
  enterprise: { name: 'Enterprise Plan', contains: 'premium', connectionLimit: null, gives: ['apiAccess'] },
} as const satisfies Record<string, PlanTerms>

export type PlanId = keyof typeof plans
export const planIds = Object.keys(plans) as readonly PlanId[]

const addOns: Readonly<Record<string, { name: string; gives: readonly Entitlement[] }>> = {
  'premium-add-on': { name: 'Premium Add-on', gives: ['marketPosition', 'analytics'] },
}

const termsOf = (planId: string): PlanTerms => plans[planIds.find((id) => id === planId) ?? 'basic']

export const nameOf = (planId: string): string => termsOf(planId).name

export function entitlementsOf(planId: string, addOnIds: readonly string[] = []): ReadonlySet<Entitlement> {
  const { contains, gives } = termsOf(planId)
  return new Set([
    ...(contains ? entitlementsOf(contains) : []),
    ...gives,
    ...addOnIds.flatMap((id) => addOns[id]?.gives ?? []),
  ])
}

/** Returns the maximum number of connections; null means unlimited. Without a plan, the limit of the smallest plan applies. */
export const connectionLimitOf = (planId: string | undefined): number | null =>
  termsOf(planId ?? 'basic').connectionLimit

/** Returns the name of the smallest plan that includes the entitlement. */
export function planWith(what: Entitlement | 'unlimited connections'): string {
  const has = (id: PlanId) =>
    what === 'unlimited connections' ? connectionLimitOf(id) === null : entitlementsOf(id).has(what)
  return plans[planIds.find(has) ?? 'enterprise'].name
}

/** True if the add-on includes a feature that the plan does not have. */
export function suitsPlan(addOnId: string, planId: string): boolean {
  const given = entitlementsOf(planId)
  return (addOns[addOnId]?.gives ?? []).some((one) => !given.has(one))
}

const connectionsLine = (limit: number | null) =>
  limit === null ? 'Unlimited dealer connections' : `Up to ${limit} dealer connections`

export function featuresOf(planId: string): string[] {
  const { contains, connectionLimit, gives } = termsOf(planId)
  const lines = gives.map((one) => words[one].card)
  if (contains === undefined) return [connectionsLine(connectionLimit), ...lines]
  const within = `Everything in ${termsOf(contains).name.replace(/ Plan$/, '')}`
  const sameRoom = termsOf(contains).connectionLimit === connectionLimit
  return [...(sameRoom ? [] : [connectionsLine(connectionLimit)]), within, ...lines]
}

export const entitlementText = (what: Entitlement): string => words[what].act

/** Returns how to get a feature, such as `Upgrade to the Premium Plan, or take the Premium Add-on, to see sales analytics`. */
export function howToUnlock(
  what: Entitlement,
  planId: string | undefined,
  act: string = entitlementText(what),
): string {
  const name = planWith(what)
  const largest = name === plans.enterprise.name
  if (planId === undefined) return `Subscribe to the ${name}${largest ? '' : ' or higher'} to ${act}`
  const addOn = Object.entries(addOns).find(([id, { gives }]) => gives.includes(what) && suitsPlan(id, planId))
  return `Upgrade to the ${name}${addOn ? `, or take the ${addOn[1].name},` : ''} to ${act}`
}
