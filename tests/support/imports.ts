import type { SheetReport } from '#shared/schemas/posting.ts'
import type { Caller } from './app.ts'
import { until } from './wait.ts'

export const finishedImport = (seller: Caller, postId: string): Promise<SheetReport> =>
  until('the import', async () => {
    const { body } = await seller.get<SheetReport>(`/api/inventory/${postId}/sheet`)
    return body.state === 'waiting' ? undefined : body
  })

export const decideSheet = (
  caller: Caller,
  postId: string,
  decision: { heldId: string | undefined; publish: boolean; endAuction?: boolean },
) => caller.post<SheetReport>(`/api/inventory/${postId}/sheet/decision`, decision)
