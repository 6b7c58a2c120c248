export const postTypes = ['single', 'multiple', 'spreadsheet'] as const

export const vehicleStatuses = ['available', 'pending', 'sold'] as const
