export interface BillingJobs {
  /** A renewal payment failed: tells the dealer how to keep the plan. */
  'mail.pastDue': { dealerId: string }
  /** Pays for a demo account's complimentary plan, so that it has an invoice and a card. */
  'billing.demoPlan': { dealerId: string }
  /** Ends a given plan. */
  'billing.endGift': { dealerId: string }
  /** Sends the account's new e-mail address to the provider. */
  'billing.address': { dealerId: string }
  /** Retries a refund without a response. */
  'billing.refund': { refundId: string }
}
