/** `details` of a 402 response. `pay`: an invoice is unpaid. `upgrade`: the plan lacks the feature, or all its connections are used. */
export interface PlanRefusal {
  plan: 'subscribe' | 'pay' | 'upgrade'
  planName: string
  connectionLimit?: number
}
