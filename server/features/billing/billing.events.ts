export interface BillingJobs {
  /** Sends an email to a dealer whose renewal payment failed. It explains how to keep the plan. */
  'mail.pastDue': { dealerId: string }
  /** Pays for a demo account's complimentary plan, so that it has an invoice and a card. */
  'billing.demoPlan': { dealerId: string }
  'billing.endGift': { dealerId: string }
  'billing.address': { dealerId: string }
  /** Retries a refund for which the provider's response was not received. */
  'billing.refund': { refundId: string }
}
