export interface BillingJobs {
  /** Emails a dealer whose renewal payment failed, and explains how to keep the plan. */
  'mail.pastDue': { dealerId: string }
  /** Pays for a demo account's complimentary plan, so that it has an invoice and a card. */
  'billing.demoPlan': { dealerId: string }
  'billing.endGift': { dealerId: string }
  'billing.address': { dealerId: string }
  /** Retries a refund that the provider has not confirmed. */
  'billing.refund': { refundId: string }
}
