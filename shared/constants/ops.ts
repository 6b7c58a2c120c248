export const opsRanges = ['15m', '1h', '24h'] as const
