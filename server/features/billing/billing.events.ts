export interface BillingJobs {
  /** A renewal was refused: tell the dealer how to keep the plan. */
  'mail.pastDue': { dealerId: string }
  /** Turns a demo account's complimentary plan into a paid one, with an invoice and a card to look at. */
  'billing.demoPlan': { dealerId: string }
  /** A plan that was given ends. */
  'billing.endGift': { dealerId: string }
  /** The provider's receipts and reminders go to the account's new e-mail from now on. */
  'billing.address': { dealerId: string }
  /** Asks the provider for a refund whose answer nobody has heard. */
  'billing.refund': { refundId: string }
}
