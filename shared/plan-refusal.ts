/**
 * `details` of a 402 response that a plan would resolve; absent for a declined card. `subscribe`: the dealer has no plan. `pay`:
 * an invoice is unpaid. `upgrade`: the plan lacks the feature, or all of its `connectionLimit` connections are used.
 */
export interface PlanRefusal {
  plan: 'subscribe' | 'pay' | 'upgrade'
  planName: string
  connectionLimit?: number
}
