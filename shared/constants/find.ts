export const findRating = 4.5
export const findSinceMax = 99
export const findTextMax = 120
