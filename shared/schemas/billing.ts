import Type from 'typebox'
import type { Static } from 'typebox'
import { entitlements } from '#shared/entitlements.ts'
import { Id, Nullable, oneOf, Reason, Timestamp } from '#shared/values.ts'
import { planPriceMax, addOnDescriptionMax } from '#shared/constants/billing.ts'

/** `price` is in US dollars per month. */
export const SubscriptionPlan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  features: Type.Array(Type.String()),
  connectionLimit: Nullable(Type.Integer()),
})
export type SubscriptionPlan = Static<typeof SubscriptionPlan>

export const subscriptionStatuses = ['active', 'past_due', 'unpaid', 'trialing', 'incomplete', 'canceled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** Statuses in which the dealer may use the plan. */
export const paidStatuses: ReadonlySet<SubscriptionStatus> = new Set(['active', 'trialing'])

/** `price` is in US dollars per month. */
export const AddOn = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  price: Type.Number(),
})
export type AddOn = Static<typeof AddOn>

export const MySubscription = Type.Object({
  hasSubscription: Type.Boolean(),
  /** Features that the dealer can use now, through the plan, an add-on or an admin's grant. */
  entitlements: Type.Array(oneOf(entitlements)),
  subscription: Nullable(
    Type.Object({
      status: oneOf(subscriptionStatuses),
      /** Next billing date, or last day of a canceled plan. Null if the plan has no end. */
      currentPeriodEnd: Nullable(Timestamp),
      cancelAtPeriodEnd: Type.Boolean(),
      complimentary: Type.Boolean(),
      /** End of a plan that an admin granted. Null for paid plans and for granted plans without an end. */
      givenUntil: Nullable(Timestamp),
      /** The price that this dealer pays, in US dollars per month. It stays the same if the plan's price changes later. */
      price: Type.Number(),
      plan: Type.Object({ id: Type.String(), name: Type.String() }),
      addOns: Type.Array(AddOn),
    }),
  ),
})
export type MySubscription = Static<typeof MySubscription>

export const PlanChoice = Type.Object({ planId: Type.String({ minLength: 1, maxLength: 40 }) })
export type PlanChoice = Static<typeof PlanChoice>

export const ClientSecret = Type.Object({ clientSecret: Type.String() })
export type ClientSecret = Static<typeof ClientSecret>

/** GET /api/payment-config. `card-form` is our own form for the payment stand-in; `element` is Stripe's form. */
export const PaymentConfig = Type.Object({
  form: oneOf(['card-form', 'element']),
  publishableKey: Nullable(Type.String()),
})
export type PaymentConfig = Static<typeof PaymentConfig>

export const ProrationPreview = Type.Object({
  /** Amount that is charged immediately; 0 if credit covers it. */
  dueNow: Type.Number(),
  credit: Type.Number(),
  /** Monthly total of the plan and its add-ons from the next billing date. */
  newPrice: Type.Number(),
  lines: Type.Array(Type.Object({ description: Type.String(), amount: Type.Number() })),
  /** A signed quote for this dealer, change and amount. Send it back with the change within ten minutes. */
  quote: Type.String(),
})
export type ProrationPreview = Static<typeof ProrationPreview>

export const ChangePreview = Type.Object({
  planId: Type.String(),
  planName: Type.String(),
  ...ProrationPreview.properties,
})
export type ChangePreview = Static<typeof ChangePreview>

export const AddOnOrder = Type.Object({ quote: Type.String({ maxLength: 1_000 }) })
export type AddOnOrder = Static<typeof AddOnOrder>

export const PlanChange = Type.Object({ ...PlanChoice.properties, ...AddOnOrder.properties })
export type PlanChange = Static<typeof PlanChange>

export const Invoice = Type.Object({
  id: Type.String(),
  number: Type.String(),
  date: Timestamp,
  description: Type.String(),
  amount: Type.Number(),
  status: oneOf(['paid', 'open']),
  refunded: Type.Number(),
})
export type Invoice = Static<typeof Invoice>

/** The card on file. Never store more than its brand, last four digits and expiry date. */
const PaymentMethod = Type.Object({
  brand: Type.String(),
  last4: Type.String(),
  expMonth: Type.Integer(),
  expYear: Type.Integer(),
})

export const BillingOverview = Type.Object({
  invoices: Type.Array(Invoice),
  paymentMethod: Nullable(PaymentMethod),
})
export type BillingOverview = Static<typeof BillingOverview>

/** `clientSecret` comes from POST /api/payment-method/setup. It is valid once the payment form has confirmed it. */
export const NewCard = Type.Object({ clientSecret: Type.String({ maxLength: 200 }) })
export type NewCard = Static<typeof NewCard>

export const CardChange = Type.Object({
  paymentMethod: Nullable(PaymentMethod),
  openInvoice: oneOf(['none', 'paid', 'refused']),
  refusal: Nullable(Type.String()),
})
export type CardChange = Static<typeof CardChange>

/** Card fields as the dealer typed them. Only demo servers accept them, and only Stripe's test card numbers. */
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

/** Onboarding sends `cardholderName`. Checkout sends `nameOnCard` and a billing address. */
export const PaymentInfo = Type.Object({
  ...cardFields,
  cardholderName: Type.Optional(Type.String({ maxLength: 120 })),
  nameOnCard: Type.Optional(Type.String({ maxLength: 120 })),
  billingAddress: Type.Optional(BillingAddress),
})
export type PaymentInfo = Static<typeof PaymentInfo>

export const CompleteSubscription = Type.Object({
  plan: Type.String({ minLength: 1, maxLength: 40 }),
  paymentInfo: PaymentInfo,
})
export type CompleteSubscription = Static<typeof CompleteSubscription>

/** `clientSecret` identifies the payment to confirm or the card to save. */
export const ConfirmPayment = Type.Object({ clientSecret: Type.String({ maxLength: 200 }), paymentInfo: PaymentInfo })
export type ConfirmPayment = Static<typeof ConfirmPayment>

/** The cardholder's decision on the simulated bank's authentication page. */
export const AuthenticatePayment = Type.Object({
  clientSecret: Type.String({ maxLength: 200 }),
  approve: Type.Boolean(),
})
export type AuthenticatePayment = Static<typeof AuthenticatePayment>

export const ConfirmSubscription = Type.Object({ clientSecret: Type.Optional(Type.String({ maxLength: 200 })) })
export type ConfirmSubscription = Static<typeof ConfirmSubscription>

export const PaymentOutcome = Type.Object({
  status: oneOf(['succeeded', 'requires_action']),
  clientSecret: Type.String(),
})
export type PaymentOutcome = Static<typeof PaymentOutcome>

/** `price` is in whole dollars per month. `revenue` is the amount that users actually pay. */
export const AdminPlan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  features: Type.Array(Type.String()),
  isActive: Type.Boolean(),
  userCount: Type.Integer(),
  gifts: Type.Integer(),
  revenue: Type.Number(),
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

const Refund = Type.Object({
  id: Id,
  invoiceNumber: Type.String(),
  amount: Type.Number(),
  reason: Type.String(),
  createdAt: Timestamp,
  state: oneOf(['waiting', 'done', 'refused']),
  refusal: Nullable(Type.String()),
})

export const DealerBilling = Type.Object({
  subscription: MySubscription.properties.subscription,
  invoices: Type.Array(
    Type.Object({
      ...Invoice.properties,
      refundable: Type.Number(),
    }),
  ),
  refunds: Type.Array(Refund),
})
export type DealerBilling = Static<typeof DealerBilling>

/** Requires an `Idempotency-Key`. `amount` is in dollars with whole cents. Without `amount`, the rest of the invoice is refunded. */
export const NewRefund = Type.Object({
  invoiceId: Type.String({ minLength: 1, maxLength: 100 }),
  amount: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
  reason: Reason,
})
export type NewRefund = Static<typeof NewRefund>

/** Requires the `quote` from the preview. The difference is charged or credited immediately. */
export const DealerPlanChange = Type.Object({ ...PlanChange.properties, reason: Reason })
export type DealerPlanChange = Static<typeof DealerPlanChange>

export const PlanGift = Type.Object({ ...PlanChoice.properties, until: Timestamp, reason: Reason })
export type PlanGift = Static<typeof PlanGift>

const Price = Type.Integer({ minimum: 0, maximum: planPriceMax, description: 'whole dollars per month' })

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
