import { statesAndProvinces } from '#shared/places.ts'

export const stateOptions = statesAndProvinces.map((code) => ({ value: code, label: code }))
