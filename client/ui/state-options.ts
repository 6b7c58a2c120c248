import { statesAndProvinces, vehicleStates } from '#shared/places.ts'

export const stateOptions = statesAndProvinces.map((code) => ({ value: code, label: code }))

/** Options for a vehicle's location, which may also be the District of Columbia. */
export const vehicleStateOptions = vehicleStates.map((code) => ({ value: code, label: code }))
