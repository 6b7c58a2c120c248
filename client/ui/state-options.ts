import { statesAndProvinces } from '#shared/places.ts'

/** Every US state and Canadian province, for a Select. */
export const stateOptions = statesAndProvinces.map((code) => ({ value: code, label: code }))
