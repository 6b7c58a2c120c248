import { useMutation } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import type { NewReport } from '#shared/schemas/moderation.ts'

export function useSendReport() {
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: (body: NewReport) => call('/api/reports', { method: 'POST', body }),
    meta: { refused: 'The report was not sent', isShownInPlace },
  })
}
