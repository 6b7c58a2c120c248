import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { DealerPlanChange, NewRefund, PlanGift } from '#shared/schemas/billing.ts'
import { call } from '#client/lib/http/api.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { all, useAct, userPath } from '../admin.api.ts'

export const dealerFileQuery = (id: string) =>
  queryOptions({ queryKey: [...all, 'file', id], queryFn: () => call(`${userPath(id)}/file`), staleTime: 0 })

/** Does not use the `all` prefix, because every admin action would then refetch the orders, and each fetch records another view. */
export const dealerOrdersQuery = (id: string) =>
  queryOptions({
    queryKey: [`${userPath(id)}/buy-orders`],
    queryFn: () => call(`${userPath(id)}/buy-orders`),
    staleTime: Infinity,
    gcTime: 0,
  })

export function useEndOrder() {
  const cache = useQueryClient()
  return useAct(
    async ({ id, orderId, reason }: { id: string; orderId: string; reason: string }) => {
      const left = await call(`${userPath(id)}/buy-orders/${orderId}`, { method: 'DELETE', body: { reason } })
      cache.setQueryData(dealerOrdersQuery(id).queryKey, left)
    },
    () => 'Buy order ended',
  )
}

/** Fetched separately from the dealer's other data, because the server must ask the payment provider. */
export const dealerBillingQuery = (id: string) =>
  queryOptions({ queryKey: [...all, 'billing', id], queryFn: () => call(`${userPath(id)}/billing`), staleTime: 0 })

/** The cost of changing to another plan now. The server's answer is valid for ten minutes. */
export const dealerPlanQuery = (id: string, planId: string) =>
  queryOptions({
    queryKey: [...all, 'plan-preview', id, planId],
    queryFn: () => call(`${userPath(id)}/plan/preview`, { method: 'POST', body: { planId } }),
    staleTime: 0,
    gcTime: 0,
    enabled: planId !== '',
  })

export const useChangeDealerPlan = () =>
  useAct(
    ({ id, ...body }: DealerPlanChange & { id: string }) => call(`${userPath(id)}/plan`, { method: 'POST', body }),
    () => 'Plan changed',
  )
export const useGivePlan = () =>
  useAct(
    ({ id, ...body }: PlanGift & { id: string }) => call(`${userPath(id)}/gift`, { method: 'PUT', body }),
    () => 'Plan given',
  )
export const useRevokeGift = () =>
  useAct(
    ({ id, reason }: { id: string; reason: string }) =>
      call(`${userPath(id)}/gift`, { method: 'DELETE', body: { reason } }),
    () => 'Complimentary plan ended',
  )
export const useRefund = () =>
  useAct(
    ({ id, key, ...body }: NewRefund & { id: string; key: string }) =>
      call(`${userPath(id)}/refunds`, { method: 'POST', body, idempotencyKey: key }),
    () => 'Refunded',
  )
export const useAddNote = () =>
  useAct(
    ({ id, text }: { id: string; text: string }) => call(`${userPath(id)}/notes`, { method: 'POST', body: { text } }),
    () => 'Note saved',
  )
export const useDeleteNote = () =>
  useAct(
    ({ id, noteId }: { id: string; noteId: string }) => call(`${userPath(id)}/notes/${noteId}`, { method: 'DELETE' }),
    () => 'Note deleted',
  )
export const useEndSessions = () =>
  useAct(
    ({ id, sessionId, reason }: { id: string; sessionId: string | undefined; reason: string }) =>
      withProof((given) =>
        sessionId === undefined
          ? call(`${userPath(id)}/sessions`, { method: 'DELETE', body: { reason, ...given } })
          : call(`${userPath(id)}/sessions/${sessionId}`, { method: 'DELETE', body: { reason, ...given } }),
      ),
    ({ sessionId }) => (sessionId === undefined ? 'All sessions ended' : 'Session ended'),
  )
export const useRestoreBidding = () =>
  useAct(
    (id: string) => call(`${userPath(id)}/bidding`, { method: 'POST', body: {} }),
    () => 'Dealer can bid again',
  )
export const useResetSecondFactor = () =>
  useAct(
    ({ id, reason }: { id: string; reason: string }) =>
      withProof((given) => call(`${userPath(id)}/second-factor`, { method: 'DELETE', body: { reason, ...given } })),
    () => 'Second factor reset',
  )
