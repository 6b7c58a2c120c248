import Type from 'typebox'
import type { Static } from 'typebox'
import { entitlements } from '#shared/entitlements.ts'
import { Id, Nullable, oneOf, Reason, Timestamp } from '#shared/values.ts'

/** The plan that is marked as the one most dealers take. */
export const mostPopularPlan = 'Premium Plan'

/** GET /api/subscription-plans. `price` is whole or decimal US dollars per month. */
export const SubscriptionPlan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  features: Type.Array(Type.String()),
  /** How many dealers may be in the network; null is without limit. */
  connectionLimit: Nullable(Type.Integer()),
})
export type SubscriptionPlan = Static<typeof SubscriptionPlan>

/** `complimentary` is a plan given without the provider (demo network); there is nothing to pay for it. */
export const subscriptionStatuses = ['active', 'past_due', 'unpaid', 'trialing', 'incomplete', 'canceled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** With one of these the dealer may do all that the plan allows; with the others an invoice is open. */
export const paidStatuses: ReadonlySet<SubscriptionStatus> = new Set(['active', 'trialing'])

/** GET /api/add-ons: what can be taken beside a plan that lacks it (`suitsPlan` of shared/entitlements.ts). `price` in US dollars per month. */
export const AddOn = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  price: Type.Number(),
})
export type AddOn = Static<typeof AddOn>

/** GET /api/my-subscription */
export const MySubscription = Type.Object({
  hasSubscription: Type.Boolean(),
  /** What the dealer may do now: by a paid plan, by its add-ons, or given by an admin. */
  entitlements: Type.Array(oneOf(entitlements)),
  subscription: Nullable(
    Type.Object({
      status: oneOf(subscriptionStatuses),
      /** Next billing date, or the last day when it is cancelled. Null for a plan without an end. */
      currentPeriodEnd: Nullable(Timestamp),
      cancelAtPeriodEnd: Type.Boolean(),
      complimentary: Type.Boolean(),
      /** Given by an admin, and ends by itself then. Null for a plan that is paid for, or complimentary without an end. */
      givenUntil: Nullable(Timestamp),
      /** What this dealer pays per month in US dollars; a later change of the plan's price does not touch it. */
      price: Type.Number(),
      plan: Type.Object({ id: Type.String(), name: Type.String() }),
      /** What the dealer has beside the plan, each with what this dealer pays for it. */
      addOns: Type.Array(AddOn),
    }),
  ),
})
export type MySubscription = Static<typeof MySubscription>

/** POST /api/get-or-create-subscription and the two change calls. */
export const PlanChoice = Type.Object({ planId: Type.String({ minLength: 1, maxLength: 40 }) })
export type PlanChoice = Static<typeof PlanChoice>

export const ClientSecret = Type.Object({ clientSecret: Type.String() })
export type ClientSecret = Static<typeof ClientSecret>

/** GET /api/payment-config: `card-form` is our own form against the stand-in, `element` the provider's own. */
export const PaymentConfig = Type.Object({
  form: oneOf(['card-form', 'element']),
  publishableKey: Nullable(Type.String()),
})
export type PaymentConfig = Static<typeof PaymentConfig>

/** What a change costs now, in US dollars; negative lines are credit for unused time. */
export const ProrationPreview = Type.Object({
  /** Charged at once. 0 when credit covers it. */
  dueNow: Type.Number(),
  /** Credit kept for the next invoices. */
  credit: Type.Number(),
  /** Plan and add-ons together, from the next billing date. */
  newPrice: Type.Number(),
  lines: Type.Array(Type.Object({ description: Type.String(), amount: Type.Number() })),
  /** Signed, for this dealer, this change and this amount; sent back with the change within ten minutes. */
  quote: Type.String(),
})
export type ProrationPreview = Static<typeof ProrationPreview>

/** POST /api/change-subscription/preview */
export const ChangePreview = Type.Object({
  planId: Type.String(),
  planName: Type.String(),
  ...ProrationPreview.properties,
})
export type ChangePreview = Static<typeof ChangePreview>

/** PUT /api/my-subscription/add-ons/{id}: the `quote` of its preview. */
export const AddOnOrder = Type.Object({ quote: Type.String({ maxLength: 1_000 }) })
export type AddOnOrder = Static<typeof AddOnOrder>

/** POST /api/change-subscription: the `quote` of its preview. */
export const PlanChange = Type.Object({ ...PlanChoice.properties, ...AddOnOrder.properties })
export type PlanChange = Static<typeof PlanChange>

export const Invoice = Type.Object({
  id: Type.String(),
  number: Type.String(),
  date: Timestamp,
  description: Type.String(),
  amount: Type.Number(),
  status: oneOf(['paid', 'open']),
  /** What of it has been paid back. */
  refunded: Type.Number(),
})
export type Invoice = Static<typeof Invoice>

/** The card on file: never more than brand, last four digits and expiry. */
const PaymentMethod = Type.Object({
  brand: Type.String(),
  last4: Type.String(),
  expMonth: Type.Integer(),
  expYear: Type.Integer(),
})

/** GET /api/billing: newest invoice first. */
export const BillingOverview = Type.Object({
  invoices: Type.Array(Invoice),
  paymentMethod: Nullable(PaymentMethod),
})
export type BillingOverview = Static<typeof BillingOverview>

/** POST /api/payment-method: the secret of POST /api/payment-method/setup, confirmed by the payment form since. */
export const NewCard = Type.Object({ clientSecret: Type.String({ maxLength: 200 }) })
export type NewCard = Static<typeof NewCard>

/** What became of a new card. */
export const CardChange = Type.Object({
  paymentMethod: Nullable(PaymentMethod),
  /** Whether an invoice that waited for payment was paid with the new card. */
  openInvoice: oneOf(['none', 'paid', 'refused']),
  /** The provider's sentence where the open invoice was refused. */
  refusal: Nullable(Type.String()),
})
export type CardChange = Static<typeof CardChange>

/** Card fields as typed. Accepted on a demo server only, and only with the provider's published test numbers. */
const cardFields = {
  cardNumber: Type.String({ maxLength: 40 }),
  expiryDate: Type.String({ maxLength: 10 }),
  cvv: Type.String({ maxLength: 4 }),
}

export const BillingAddress = Type.Object({
  address: Type.String({ maxLength: 200 }),
  city: Type.String({ maxLength: 120 }),
  state: Type.String({ maxLength: 60 }),
  zipCode: Type.String({ maxLength: 12 }),
  country: oneOf(['US', 'CA']),
})
export type BillingAddress = Static<typeof BillingAddress>

/** What pays for a plan: onboarding sends cardholderName, checkout nameOnCard and a billing address. */
export const PaymentInfo = Type.Object({
  ...cardFields,
  cardholderName: Type.Optional(Type.String({ maxLength: 120 })),
  nameOnCard: Type.Optional(Type.String({ maxLength: 120 })),
  billingAddress: Type.Optional(BillingAddress),
})
export type PaymentInfo = Static<typeof PaymentInfo>

/** POST /api/auth/complete-subscription */
export const CompleteSubscription = Type.Object({
  plan: Type.String({ minLength: 1, maxLength: 40 }),
  paymentInfo: PaymentInfo,
})
export type CompleteSubscription = Static<typeof CompleteSubscription>

/** POST /api/demo-payments/confirm: the secret of a payment, or of a card that is only to be saved. */
export const ConfirmPayment = Type.Object({ clientSecret: Type.String({ maxLength: 200 }), paymentInfo: PaymentInfo })
export type ConfirmPayment = Static<typeof ConfirmPayment>

/** POST /api/demo-payments/authenticate: what the cardholder answered their bank. */
export const AuthenticatePayment = Type.Object({
  clientSecret: Type.String({ maxLength: 200 }),
  approve: Type.Boolean(),
})
export type AuthenticatePayment = Static<typeof AuthenticatePayment>

/** POST /api/confirm-subscription: the payment that the provider named in the address it led back to. */
export const ConfirmSubscription = Type.Object({ clientSecret: Type.Optional(Type.String({ maxLength: 200 })) })
export type ConfirmSubscription = Static<typeof ConfirmSubscription>

/** `requires_action`: the bank asks the cardholder; nothing is paid yet. */
export const PaymentOutcome = Type.Object({
  status: oneOf(['succeeded', 'requires_action']),
  clientSecret: Type.String(),
})
export type PaymentOutcome = Static<typeof PaymentOutcome>

/** Plans and add-ons as admins see them. `price` in whole dollars per month; `revenue` is what its users pay. */
export const AdminPlan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  features: Type.Array(Type.String()),
  isActive: Type.Boolean(),
  /** Those who pay for it. */
  userCount: Type.Integer(),
  /** Those to whom it was given. */
  gifts: Type.Integer(),
  revenue: Type.Number(),
  /** Percent of the monthly revenue, one decimal. */
  share: Type.Number(),
})
export type AdminPlan = Static<typeof AdminPlan>

export const AdminAddOn = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  description: Type.String(),
  isActive: Type.Boolean(),
  userCount: Type.Integer(),
  revenue: Type.Number(),
  /** Percent of the monthly revenue, one decimal. */
  share: Type.Number(),
})
export type AdminAddOn = Static<typeof AdminAddOn>

export const AdminPricing = Type.Object({
  plans: Type.Array(AdminPlan),
  addOns: Type.Array(AdminAddOn),
  monthlyRevenue: Type.Number(),
  annualRevenue: Type.Number(),
})
export type AdminPricing = Static<typeof AdminPricing>

/** Money on its way back to a card. `waiting`: the provider has not answered yet. */
const Refund = Type.Object({
  id: Id,
  invoiceNumber: Type.String(),
  amount: Type.Number(),
  reason: Type.String(),
  createdAt: Timestamp,
  state: oneOf(['waiting', 'done', 'refused']),
  /** The provider's sentence where it refused. */
  refusal: Nullable(Type.String()),
})

/** GET /api/admin/users/{id}/billing: what one dealer has, paid and was paid back. Newest first. */
export const DealerBilling = Type.Object({
  subscription: MySubscription.properties.subscription,
  invoices: Type.Array(
    Type.Object({
      ...Invoice.properties,
      /** What may still be paid back. */
      refundable: Type.Number(),
    }),
  ),
  refunds: Type.Array(Refund),
})
export type DealerBilling = Static<typeof DealerBilling>

/**
 * POST /api/admin/users/{id}/refunds, with an `Idempotency-Key`: the same key pays back once. Without an amount all that is
 * left; `amount` in dollars and whole cents.
 */
export const NewRefund = Type.Object({
  invoiceId: Type.String({ minLength: 1, maxLength: 100 }),
  amount: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
  reason: Reason,
})
export type NewRefund = Static<typeof NewRefund>

/** POST /api/admin/users/{id}/plan: the `quote` of its preview, charged or credited at once. */
export const DealerPlanChange = Type.Object({ ...PlanChange.properties, reason: Reason })
export type DealerPlanChange = Static<typeof DealerPlanChange>

/** PUT /api/admin/users/{id}/gift: a plan that nobody pays for until that moment, when it ends by itself. */
export const PlanGift = Type.Object({ ...PlanChoice.properties, until: Timestamp, reason: Reason })
export type PlanGift = Static<typeof PlanGift>

/** Most dollars a month that a plan or an add-on may cost, and most characters of what an add-on is described with. */
export const planPriceMax = 100_000
export const addOnDescriptionMax = 300

const Price = Type.Integer({ minimum: 0, maximum: planPriceMax, description: 'whole dollars per month' })

/** A new price is for new subscribers; those who have the plan keep what they pay. What it gives is no text to edit. */
export const PlanEdit = Type.Partial(
  Type.Object({
    price: Price,
    isActive: Type.Boolean(),
  }),
)
export type PlanEdit = Static<typeof PlanEdit>

export const AddOnEdit = Type.Partial(
  Type.Object({ price: Price, description: Type.String({ maxLength: addOnDescriptionMax }), isActive: Type.Boolean() }),
)
export type AddOnEdit = Static<typeof AddOnEdit>
