/** `details` of a 402 response. `pay`: an invoice is unpaid. `upgrade`: the plan lacks the feature or has no connections left. */
export interface PlanRefusal {
  plan: 'subscribe' | 'pay' | 'upgrade'
  planName: string
  connectionLimit?: number
}
