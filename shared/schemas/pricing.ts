import Type, { type Static } from 'typebox'

/** Spec B §3 "Admin plan" and "Add-on". `price` in whole dollars per month; `revenue` is what its users pay. */
export const AdminPlan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  features: Type.Array(Type.String()),
  isActive: Type.Boolean(),
  userCount: Type.Integer(),
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

const Price = Type.Integer({ minimum: 0, maximum: 100_000, description: 'whole dollars per month' })

/** A new price is for new subscribers; those who have the plan keep what they pay. */
export const PlanEdit = Type.Partial(
  Type.Object({
    price: Price,
    features: Type.Array(Type.String({ minLength: 1, maxLength: 120 }), { maxItems: 20 }),
    isActive: Type.Boolean(),
  }),
)
export type PlanEdit = Static<typeof PlanEdit>

export const AddOnEdit = Type.Partial(
  Type.Object({ price: Price, description: Type.String({ maxLength: 300 }), isActive: Type.Boolean() }),
)
export type AddOnEdit = Static<typeof AddOnEdit>
