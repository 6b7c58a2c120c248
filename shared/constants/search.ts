export const searchMin = 2
export const searchMax = 200
