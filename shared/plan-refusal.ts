/**
 * `details` of a 402 that a plan would lift; the refusal of a card has none. `subscribe`: there is no plan. `pay`: its
 * invoice is open. `upgrade`: it does not have this, or no room for more, `connectionLimit` dealers being all.
 */
export interface PlanRefusal {
  plan: 'subscribe' | 'pay' | 'upgrade'
  /** The plan that has it, by name. */
  planName: string
  connectionLimit?: number
}
