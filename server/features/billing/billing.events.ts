export interface BillingJobs {
  /** A renewal was refused: tell the dealer how to keep the plan. */
  'mail.pastDue': { dealerId: string }
  /** Turns a demo account's complimentary plan into a paid one, with an invoice and a card to look at. */
  'billing.demoPlan': { dealerId: string }
}
