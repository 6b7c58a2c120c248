import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { IncidentChange, IncidentInput } from '#shared/schemas/ops.ts'
import type { PromotionChange, PromotionInput } from '#shared/schemas/promotions.ts'
import type { IssueChange, IssueInput, ReadIssue } from '#shared/schemas/site.ts'
import { call, withQuery } from '#client/lib/http/api.ts'
import { all, firstPage, useAct } from '../admin.api.ts'

export const promotionsQuery = () =>
  queryOptions({
    queryKey: [...all, 'promotions'],
    queryFn: () => call('/api/admin/promotions'),
    staleTime: 0,
  })

export const useCreatePromotion = (path: 'promotions' | 'announcements' = 'promotions') =>
  useAct(
    (body: PromotionInput) => call(`/api/admin/${path}`, { method: 'POST', body }),
    () => (path === 'promotions' ? 'Promotion created' : 'Announcement sent'),
  )
export const useChangePromotion = () =>
  useAct(
    ({ id, change }: { id: string; change: PromotionChange }) =>
      call(`/api/admin/promotions/${id}`, { method: 'PATCH', body: change }),
    ({ change }) => {
      if (change.isActive === undefined) return 'Promotion saved'
      return change.isActive ? 'Promotion activated' : 'Promotion paused'
    },
  )
export const useDeletePromotion = () =>
  useAct(
    (id: string) => call(`/api/admin/promotions/${id}`, { method: 'DELETE' }),
    () => 'Promotion deleted',
  )

export const incidentsQuery = () =>
  queryOptions({ queryKey: [...all, 'incidents'], queryFn: () => call('/api/admin/incidents'), staleTime: 0 })

export const useWriteIncident = () =>
  useAct(
    (body: IncidentInput) => call('/api/admin/incidents', { method: 'POST', body }),
    () => 'Incident published',
  )
export const useChangeIncident = () =>
  useAct(
    ({ id, change }: { id: string; change: IncidentChange }) =>
      call(`/api/admin/incidents/${id}`, { method: 'PATCH', body: change }),
    () => 'Incident saved',
  )
export const useResolveIncident = () =>
  useAct(
    (id: string) => call(`/api/admin/incidents/${id}/resolve`, { method: 'POST' }),
    () => 'Incident resolved',
  )

export const subscribersQuery = () =>
  infiniteQueryOptions({
    queryKey: [...all, 'subscribers'],
    queryFn: ({ pageParam }) =>
      call(withQuery('/api/admin/newsletter/subscribers', { cursor: pageParam ?? undefined })),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

const deliveryPollMs = 2_000

export const issuesQuery = () =>
  queryOptions({
    queryKey: [...all, 'issues'],
    queryFn: () => call('/api/admin/newsletter/issues'),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some(
        ({ sentAt, recipients, delivered }) => sentAt !== null && (recipients === 0 || delivered < recipients),
      )
        ? deliveryPollMs
        : false,
  })

export const issuePreviewQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, 'issues', id, 'preview'],
    queryFn: () => call(`/api/admin/newsletter/issues/${id}/preview`),
    staleTime: 0,
    gcTime: 0,
  })

export const useWriteIssue = () =>
  useAct(
    (body: IssueInput) => call('/api/admin/newsletter/issues', { method: 'POST', body }),
    () => 'Draft saved',
  )
export const useChangeIssue = () =>
  useAct(
    ({ id, ...body }: IssueChange & { id: string }) =>
      call(`/api/admin/newsletter/issues/${id}`, { method: 'PUT', body }),
    () => 'Draft saved',
  )
export const useDeleteIssue = () =>
  useAct(
    (id: string) => call(`/api/admin/newsletter/issues/${id}`, { method: 'DELETE' }),
    () => 'Draft deleted',
  )
export const useSendIssue = () =>
  useAct(
    ({ id, ...body }: ReadIssue & { id: string }) =>
      call(`/api/admin/newsletter/issues/${id}/send`, { method: 'POST', body }),
    () => 'Newsletter is being sent',
  )
