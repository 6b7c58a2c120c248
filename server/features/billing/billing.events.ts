export interface BillingJobs {
  /** A renewal payment failed: tells the dealer how to keep the plan. */
  'mail.pastDue': { dealerId: string }
  /** Pays for a demo account's complimentary plan, so that it has an invoice and a card. */
  'billing.demoPlan': { dealerId: string }
  'billing.endGift': { dealerId: string }
  'billing.address': { dealerId: string }
  /** Retries a refund without a response. */
  'billing.refund': { refundId: string }
}
