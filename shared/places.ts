/** The 50 US state codes. */
export const usStates = [
  'AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS', 'KY', 'LA', 'ME', 'MD',
  'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC',
  'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY',
] as const // prettier-ignore

/** Provinces offered beside the states in the directory filter. */
export const caProvinces = ['ON', 'BC', 'AB', 'SK', 'MB', 'QC', 'NS', 'NB', 'PE', 'NL'] as const

export const statesAndProvinces = [...usStates, ...caProvinces] as const

export const dealershipTypes = ['independent', 'franchise', 'wholesaler'] as const
export type DealershipType = (typeof dealershipTypes)[number]
