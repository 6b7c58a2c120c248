import { useMutation } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import type { NewReport } from '#shared/schemas/moderation.ts'

export const useSendReport = () =>
  useMutation({ mutationFn: (body: NewReport) => call('/api/reports', { method: 'POST', body }) })
