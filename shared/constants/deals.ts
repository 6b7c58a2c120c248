export const dealStages = ['turn', 'waiting', 'completed', 'cancelled'] as const
