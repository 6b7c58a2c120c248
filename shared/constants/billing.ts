export const mostPopularPlan = 'Premium Plan'

export const planPriceMax = 100_000
export const addOnDescriptionMax = 300
