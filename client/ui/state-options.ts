import { statesAndProvinces, vehicleStates } from '#shared/places.ts'

export const stateOptions = statesAndProvinces.map((code) => ({ value: code, label: code }))

/** The same for a vehicle, which may also stand in the District of Columbia. */
export const vehicleStateOptions = vehicleStates.map((code) => ({ value: code, label: code }))
