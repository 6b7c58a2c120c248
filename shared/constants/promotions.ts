export const promotionTypes = ['info', 'warning', 'success', 'promotion'] as const
export const promotionAudiences = ['all', 'premium', 'basic'] as const

/** Default number of days that a promotion runs, including today. */
export const promotionDays = 7
