/**
 * `details` of a 402 that a plan would lift; the refusal of a card has none. `subscribe`: there is no plan. `pay`: its
 * invoice is open. `upgrade`: it has no room for more, `connectionLimit` dealers being all.
 */
export interface PlanRefusal {
  plan: 'subscribe' | 'pay' | 'upgrade'
  connectionLimit?: number
}
