import Type, { type Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { License } from './dealers.ts'
import { Nullable, oneOf } from '#shared/values.ts'

export const countries = ['US', 'CA'] as const
export type Country = (typeof countries)[number]
export const profileTypes = ['seller', 'buyer'] as const
export type ProfileType = (typeof profileTypes)[number]

const text = (maxLength: number) => Type.String({ maxLength })

/**
 * POST /api/auth/complete-profile. Formats are not checked, only that nothing is blank.
 * `email` is part of the documented form and changes nothing: the address one signs in with has a way of its own
 * (POST /api/profile/email).
 */
export const CompleteProfile = Type.Object({
  firstName: text(60),
  lastName: text(59),
  email: text(254),
  phone: text(40),
  address: text(200),
  city: text(120),
  state: text(60),
  zipCode: text(12),
  country: oneOf(countries),
  dealershipName: text(160),
  dealershipType: oneOf(dealershipTypes),
  auctionAccessNumber: text(40),
  dealership5MilNumber: text(40),
  profileType: oneOf(profileTypes),
  buysCanadianVehicles: Type.Boolean(),
  license: Type.Optional(License),
})
export type CompleteProfile = Static<typeof CompleteProfile>

/** The required fields in the order in which the form asks for them, in the words of its messages. */
export const requiredProfileFields = [
  ['firstName', 'first name'],
  ['lastName', 'last name'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['address', 'address'],
  ['city', 'city'],
  ['state', 'state'],
  ['zipCode', 'zip code'],
  ['country', 'country'],
  ['dealershipName', 'dealership name'],
  ['dealershipType', 'dealership type'],
  ['auctionAccessNumber', 'auction access number'],
  ['dealership5MilNumber', 'dealership 5 mil number'],
] as const satisfies readonly (readonly [keyof CompleteProfile, string])[]

/** The first required field that is blank, in words, or undefined when all are filled in. */
export function firstBlank<const Field extends string>(
  fields: readonly (readonly [Field, string])[],
  values: Partial<Record<Field, unknown>>,
): { field: Field; words: string } | undefined {
  const found = fields.find(([field]) => String(values[field] ?? '').trim() === '')
  return found && { field: found[0], words: found[1] }
}

/** What has been typed so far; kept so that a reload loses nothing. */
export const ProfileDraft = Type.Partial(
  Type.Object({
    ...Type.Omit(CompleteProfile, ['email', 'license']).properties,
    country: text(2),
    dealershipType: text(20),
    profileType: text(10),
    license: License,
  }),
  { additionalProperties: false },
)
export type ProfileDraft = Static<typeof ProfileDraft>

/** GET /api/onboarding */
export const OnboardingProgress = Type.Object({
  step: oneOf(['profile', 'plan', 'done']),
  /** `email`: the one that the account signs in with. */
  profile: Type.Object({ ...ProfileDraft.properties, email: Type.String() }),
  planId: Nullable(Type.String()),
})
export type OnboardingProgress = Static<typeof OnboardingProgress>

/** PATCH /api/onboarding: only what is sent changes. */
export const OnboardingPatch = Type.Object({
  profile: Type.Optional(ProfileDraft),
  planId: Type.Optional(Nullable(Type.String({ maxLength: 40 }))),
})
export type OnboardingPatch = Static<typeof OnboardingPatch>
