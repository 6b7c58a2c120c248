import { useMutation } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { useIsShown } from '#client/lib/use-is-shown.ts'
import type { NewReport } from '#shared/schemas/moderation.ts'

export function useSendReport() {
  const isSaid = useIsShown()
  return useMutation({
    mutationFn: (body: NewReport) => call('/api/reports', { method: 'POST', body }),
    meta: { refused: 'The report was not sent', isSaid },
  })
}
