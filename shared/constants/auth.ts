export const passwordMin = 12
export const recoveryCodesMade = 10
