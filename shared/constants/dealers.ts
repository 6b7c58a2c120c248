export const dealerRoles = ['dealer', 'ops', 'admin'] as const

/** Changing one of these fields sends a verified license back to review. */
export const licenseeFields = ['name', 'dealershipName', 'state'] as const
