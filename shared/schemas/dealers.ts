import Type, { type Static, type TSchema } from 'typebox'
import { emailMax } from '#shared/email.ts'
import { dealershipTypes } from '#shared/places.ts'

export const Id = Type.String({ format: 'uuid', description: 'UUID version 7' })
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })
/** One e-mail address by the rule of shared/email.ts, for every call that takes one; blanks around it are taken off. */
export const Email = Type.String({ format: 'email', maxLength: emailMax, trim: true })
/** One of a fixed list of words. */
export const oneOf = <const T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], ...options }))
/** The value or null. `nullable` rather than a union: the serialiser is several times faster with it. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ ...schema, nullable: true })

export const dealerRoles = ['dealer', 'ops', 'admin'] as const
export type DealerRole = (typeof dealerRoles)[number]

/** A dealer as others see them (spec A §3 "Dealer", B §3 "Dealer (directory)"). */
export const Dealer = Type.Object({
  id: Id,
  name: Type.String(),
  avatar: Nullable(Type.String()),
  dealershipName: Type.String(),
  dealershipType: oneOf(dealershipTypes),
  /** The same as dealershipType; the specification names both. */
  type: oneOf(dealershipTypes),
  city: Type.String(),
  state: Type.String(),
  licenseNumber: Nullable(Type.String()),
  connectionCount: Type.Integer(),
  dealsCompleted: Type.Integer(),
  /** Mean of received reviews out of 5; null before the first. */
  rating: Nullable(Type.Number()),
  buysCanadianVehicles: Type.Boolean(),
})
export type Dealer = Static<typeof Dealer>

/** The signed-in dealer (spec A §3, B §3 "Current user"). */
export const CurrentUser = Type.Object({
  ...Dealer.properties,
  email: Type.String(),
  phone: Nullable(Type.String()),
  role: oneOf(dealerRoles),
  /** Step 1 of onboarding is done. */
  profileComplete: Type.Boolean(),
  /** Every setting, defaults included; its shape is `Settings` of settings.ts. */
  settings: Type.Record(Type.String(), Type.Unknown()),
  /** Rises with every change of what is the dealer's own: a socket's greeting tells whether one was missed. */
  rev: Type.Integer(),
})
export type CurrentUser = Static<typeof CurrentUser>
