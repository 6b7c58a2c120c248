import Type, { type Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { License } from './dealers.ts'
import { Email, Nullable, oneOf } from '#shared/values.ts'
import { countries, profileTypes, profileFieldMax } from '#shared/constants/onboarding.ts'
export type Country = (typeof countries)[number]
export type ProfileType = (typeof profileTypes)[number]

const text = (maxLength: number) => Type.String({ maxLength })

/** `email` is ignored. POST /api/onboarding/email corrects an unconfirmed address; POST /api/profile/email changes a confirmed one. */
export const CompleteProfile = Type.Object({
  firstName: text(profileFieldMax.firstName),
  lastName: text(profileFieldMax.lastName),
  email: text(254),
  phone: text(profileFieldMax.phone),
  address: text(profileFieldMax.address),
  city: text(profileFieldMax.city),
  state: text(60),
  zipCode: text(profileFieldMax.zipCode),
  country: oneOf(countries),
  dealershipName: text(profileFieldMax.dealershipName),
  dealershipType: oneOf(dealershipTypes),
  auctionAccessNumber: text(profileFieldMax.auctionAccessNumber),
  dealership5MilNumber: text(profileFieldMax.dealership5MilNumber),
  profileType: oneOf(profileTypes),
  buysCanadianVehicles: Type.Boolean(),
  license: Type.Optional(License),
})
export type CompleteProfile = Static<typeof CompleteProfile>

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

export const OnboardingProgress = Type.Object({
  step: oneOf(['profile', 'plan', 'done']),
  profile: Type.Object({ ...ProfileDraft.properties, email: Type.String() }),
  planId: Nullable(Type.String()),
  /** True while POST /api/onboarding/email can still correct the address. */
  emailCorrectable: Type.Boolean(),
})
export type OnboardingProgress = Static<typeof OnboardingProgress>

/** Replaces an unconfirmed address. Links that were emailed to the old address stop working. */
export const EmailCorrection = Type.Object({ email: Email })
export type EmailCorrection = Static<typeof EmailCorrection>

export const OnboardingPatch = Type.Object({
  profile: Type.Optional(ProfileDraft),
  planId: Type.Optional(Nullable(Type.String({ maxLength: 40 }))),
})
export type OnboardingPatch = Static<typeof OnboardingPatch>
