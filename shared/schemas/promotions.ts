import Type, { type Static } from 'typebox'
import { Id, oneOf } from '#shared/values.ts'
import { promotionTypes, promotionAudiences } from '#shared/constants/promotions.ts'
export type PromotionType = (typeof promotionTypes)[number]
export type PromotionAudience = (typeof promotionAudiences)[number]

const Day = Type.String({ format: 'date', description: 'YYYY-MM-DD, UTC' })

/** A promotion runs from `startDate` to `endDate`, including both days. */
export const PromotionInput = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 120 }),
  message: Type.String({ minLength: 1, maxLength: 500 }),
  type: oneOf(promotionTypes),
  targetAudience: oneOf(promotionAudiences),
  startDate: Day,
  endDate: Day,
})
export type PromotionInput = Static<typeof PromotionInput>

export const PromotionChange = Type.Partial(Type.Object({ ...PromotionInput.properties, isActive: Type.Boolean() }))
export type PromotionChange = Static<typeof PromotionChange>

export const Promotion = Type.Object({
  id: Id,
  ...PromotionInput.properties,
  isActive: Type.Boolean(),
  /** Increases with every change, so that an edited promotion appears again after a dealer dismissed it. */
  version: Type.Integer(),
})
export type Promotion = Static<typeof Promotion>
