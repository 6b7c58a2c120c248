import { statesAndProvinces, vehicleStates } from '#shared/places.ts'

export const stateOptions = statesAndProvinces.map((code) => ({ value: code, label: code }))

export const vehicleStateOptions = vehicleStates.map((code) => ({ value: code, label: code }))
