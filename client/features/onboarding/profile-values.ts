import { dealershipTypes } from '#shared/places.ts'
import { countries, profileTypes, requiredProfileFields } from '#shared/constants/onboarding.ts'
import type { CompleteProfile, ProfileDraft } from '#shared/schemas/onboarding.ts'
import type { License } from '#shared/schemas/dealers.ts'
import type { FieldErrors } from '#client/ui/form-state.ts'

export type ProfileValues = Omit<CompleteProfile, 'dealershipType' | 'email' | 'license'> & {
  dealershipType: CompleteProfile['dealershipType'] | ''
  license: License
}

const blank: ProfileValues = {
  firstName: '',
  lastName: '',
  phone: '',
  address: '',
  city: '',
  state: '',
  zipCode: '',
  country: 'US',
  dealershipName: '',
  dealershipType: '',
  auctionAccessNumber: '',
  dealership5MilNumber: '',
  profileType: 'seller',
  buysCanadianVehicles: false,
  license: { number: '', state: '', expiresOn: '', scan: null },
}

export const dummyProfile: ProfileValues = {
  firstName: 'Dana',
  lastName: 'Torres',
  phone: '(214) 555-0148',
  address: '4100 Harry Hines Blvd',
  city: 'Dallas',
  state: 'TX',
  zipCode: '75219',
  country: 'US',
  dealershipName: 'Torres Auto Group',
  dealershipType: 'independent',
  auctionAccessNumber: '5123456',
  dealership5MilNumber: '5012345',
  profileType: 'buyer',
  buysCanadianVehicles: true,
  license: { number: 'TX-P123456', state: 'TX', expiresOn: '2039-12-31', scan: null },
}

export function fromDraft(draft: ProfileDraft): ProfileValues {
  return {
    ...blank,
    ...draft,
    country: countries.find((country) => country === draft.country) ?? 'US',
    dealershipType: dealershipTypes.find((type) => type === draft.dealershipType) ?? '',
    profileType: profileTypes.find((type) => type === draft.profileType) ?? 'seller',
  }
}

/** Two fields have different labels in Canada. */
function wordsFor(field: keyof CompleteProfile, words: string, country: string): string {
  if (country !== 'CA') return words
  if (field === 'state') return 'province'
  return field === 'zipCode' ? 'postal code' : words
}

/** Returns the errors in the order of the form's fields, because the toast shows only the first error. */
export function validateProfile(values: ProfileValues): FieldErrors<ProfileValues> {
  return Object.fromEntries(
    requiredProfileFields
      .filter(([field]) => field !== 'email' && values[field].trim() === '')
      .map(([field, words]) => [field, `Please fill in ${wordsFor(field, words, values.country)}`]),
  )
}

/** Returns undefined if no dealership type is selected. */
export function toProfile(values: ProfileValues, email: string): CompleteProfile | undefined {
  const { dealershipType, ...others } = values
  if (dealershipType === '') return undefined
  return {
    ...others,
    email,
    dealershipType,
    buysCanadianVehicles: values.profileType === 'buyer' && values.buysCanadianVehicles,
  }
}
