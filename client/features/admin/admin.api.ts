import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  AdmissionVerdict,
  AdminUserChange,
  LicenseVerdict,
  NetworkChange,
  Retention,
  NewAdminUser,
  Suspension,
} from '#shared/schemas/admin.ts'
import type { ReviewStatus } from '#shared/schemas/deals.ts'
import type { ContactState } from '#shared/schemas/site.ts'
import type { CaseState, ModerationCase, ModerationDecision } from '#shared/schemas/moderation.ts'
import type { AddOnEdit, PlanEdit } from '#shared/schemas/billing.ts'
import { call, withQuery } from '#client/lib/http/api.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { toast } from '#client/ui/toast-store.ts'

/** Key prefix of every admin list. An admin action invalidates all of them. */
export const all = ['/api/admin'] as const

export const overviewQuery = () =>
  queryOptions({
    queryKey: [...all, 'overview'],
    queryFn: () => call('/api/admin/overview'),
    staleTime: 0,
  })

export const firstPage = null as string | null

/** Options of the searchable lists. The previous results stay visible until the next response arrives. */
const searched = { initialPageParam: firstPage, placeholderData: keepPreviousData, staleTime: 0 } as const

export const usersQuery = (filter: { q: string; state: string }) =>
  infiniteQueryOptions({
    queryKey: [...all, 'users', filter],
    queryFn: ({ pageParam }) =>
      call(
        withQuery('/api/admin/users', {
          q: filter.q,
          state: filter.state === 'all' ? undefined : filter.state,
          cursor: pageParam ?? undefined,
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
    ...searched,
  })

export const adminDealsQuery = (filter: { q: string; status: ReviewStatus | 'all' }) =>
  infiniteQueryOptions({
    queryKey: [...all, 'deals', filter],
    queryFn: ({ pageParam }) =>
      call(
        withQuery('/api/admin/deals', {
          q: filter.q,
          status: filter.status === 'all' ? undefined : filter.status,
          cursor: pageParam ?? undefined,
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
    ...searched,
  })

/** Returns the start of a day in the admin's time zone, plus `later` days. Returns undefined if `day` is not a date. */
function startOfDay(day: string, later = 0): string | undefined {
  const start = new Date(`${day}T00:00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

export const auditQuery = (filter: { q: string; action: string; from: string; to: string }) =>
  infiniteQueryOptions({
    queryKey: [...all, 'audit', filter],
    queryFn: ({ pageParam }) =>
      call(
        withQuery('/api/admin/audit', {
          ...filter,
          action: filter.action === 'all' ? undefined : filter.action,
          from: startOfDay(filter.from),
          to: startOfDay(filter.to, 1),
          cursor: pageParam ?? undefined,
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
    ...searched,
  })

/** Milliseconds between refetches of the moderation cases, because new reports arrive while the page is open. */
const reportsPollMs = 30_000

export const casesQuery = (state: CaseState) =>
  infiniteQueryOptions({
    queryKey: [...all, 'moderation', state],
    queryFn: ({ pageParam }) => call(withQuery('/api/admin/moderation', { state, cursor: pageParam ?? undefined })),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    refetchInterval: reportsPollMs,
  })

export const pricingQuery = () =>
  queryOptions({ queryKey: [...all, 'pricing'], queryFn: () => call('/api/admin/pricing'), staleTime: 0 })

/** Runs an admin action, shows a toast with the result, and refetches every admin list. */
export function useAct<Input, Answer>(act: (input: Input) => Promise<Answer>, done: (input: Input) => string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (_answer, input) => {
      toast({ title: done(input) })
      return cache.invalidateQueries({ queryKey: all })
    },
    meta: { refused: 'Error' },
  })
}

export const userPath = (id: string) => `/api/admin/users/${id}` as const

export const useEditUser = () =>
  useAct(
    ({ id, change }: { id: string; change: AdminUserChange }) =>
      withProof((given) => call(userPath(id), { method: 'PATCH', body: { ...change, ...given } })),
    () => 'Dealer saved',
  )
export const useSuspendUser = () =>
  useAct(
    ({ id, ...body }: Suspension & { id: string }) =>
      withProof((given) => call(`${userPath(id)}/suspend`, { method: 'POST', body: { ...body, ...given } })),
    () => 'Dealer suspended',
  )
export const useReinstateUser = () =>
  useAct(
    (id: string) => call(`${userPath(id)}/reinstate`, { method: 'POST', body: {} }),
    () => 'Dealer reinstated',
  )
export const useDeleteUser = () =>
  useAct(
    ({ id, reason }: { id: string; reason: string }) =>
      withProof((given) => call(userPath(id), { method: 'DELETE', body: { reason, ...given } })),
    () => 'Dealer deleted',
  )
export const useInviteUser = () =>
  useAct(
    (body: NewAdminUser) =>
      withProof((given) => call('/api/admin/users', { method: 'POST', body: { ...body, ...given } })),
    ({ email }) => `Invitation sent to ${email}`,
  )
export const useChangeApiAccess = () =>
  useAct(
    ({ id, granted }: { id: string; granted: boolean }) =>
      call(`${userPath(id)}/api-access`, { method: 'POST', body: { granted } }),
    ({ granted }) => (granted ? 'API access granted' : 'API access ended'),
  )
export const useJudgeLicense = () =>
  useAct(
    ({ id, ...body }: LicenseVerdict & { id: string }) => call(`${userPath(id)}/license`, { method: 'POST', body }),
    ({ verdict }) => (verdict === 'verified' ? 'License verified' : 'License rejected'),
  )

export const useJudgeAdmission = () =>
  useAct(
    ({ id, ...body }: AdmissionVerdict & { id: string }) => call(`${userPath(id)}/admission`, { method: 'POST', body }),
    ({ verdict }) => (verdict === 'approved' ? 'Dealer approved' : 'Dealer declined'),
  )

export const invitationsQuery = () =>
  queryOptions({
    queryKey: [...all, 'invitations'],
    queryFn: () => call('/api/admin/invitations'),
    staleTime: 0,
  })
export const useInviteDealer = () =>
  useAct(
    (email: string) => call('/api/admin/invitations', { method: 'POST', body: { email } }),
    (email) => `Invitation sent to ${email}`,
  )
export const useResendInvitation = () =>
  useAct(
    ({ id }: { id: string; email: string }) => call(`/api/admin/invitations/${id}/resend`, { method: 'POST' }),
    ({ email }) => `Invitation sent again to ${email}`,
  )
export const useRevokeInvitation = () =>
  useAct(
    ({ id }: { id: string; email: string }) => call(`/api/admin/invitations/${id}`, { method: 'DELETE' }),
    ({ email }) => `Invitation to ${email} revoked`,
  )

export const adminNetworkQuery = () =>
  queryOptions({ queryKey: [...all, 'network'], queryFn: () => call('/api/admin/network'), staleTime: 0 })

const joined = {
  open: 'Anyone can sign up',
  approval: 'New accounts need admin approval',
  invitation: 'Sign-up is invitation-only',
}
export const retentionQuery = () =>
  queryOptions({ queryKey: [...all, 'retention'], queryFn: () => call('/api/admin/retention'), staleTime: 0 })

export const useChangeRetention = () =>
  useAct(
    (body: Retention) => call('/api/admin/retention', { method: 'PUT', body }),
    () => 'Saved',
  )

/** The toasts for turning each setting on and off. If one request changes several settings, only the first toast in this list is shown. */
const switched = {
  planRequired: ['Plan required to post and bid', 'No plan is required to post and bid'],
  stopAfterCancels: ['Repeat cancellers need approval to bid again', 'Cancelling no longer blocks bidding'],
  staffSecondFactor: ['Second factor required for staff', 'Second factor no longer required for staff'],
  demoPaused: ['Demo dealers paused', 'Demo dealers active'],
  confirmedOnly: ['Confirmed email required', 'Confirmed email not required'],
  verifiedOnly: ['Verified license required', 'Verified license not required'],
} as const
const switches = Object.keys(switched) as (keyof typeof switched)[]

function networkToast(change: NetworkChange): string {
  if (change.buyFee !== undefined) return change.buyFee === null ? 'No buy fee' : 'Buy fee saved'
  if (change.joining !== undefined) return joined[change.joining]
  const name = switches.find((one) => change[one] !== undefined) ?? 'verifiedOnly'
  return switched[name][change[name] === true ? 0 : 1]
}

export const useChangeNetwork = () =>
  useAct((body: NetworkChange) => call('/api/admin/network', { method: 'PATCH', body }), networkToast)

export const useReviewDeal = () =>
  useAct(
    ({ id, verdict, reason }: { id: string; verdict: 'approve' | 'reject'; reason: string }) =>
      call(`/api/admin/deals/${id}/${verdict}`, { method: 'POST', body: { reason } }),
    ({ verdict }) => (verdict === 'approve' ? 'Deal approved' : 'Deal rejected'),
  )

export const contactQuery = (state: ContactState) =>
  infiniteQueryOptions({
    queryKey: [...all, 'contact', state],
    queryFn: ({ pageParam }) =>
      call(withQuery('/api/admin/contact-messages', { state, cursor: pageParam ?? undefined })),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

export const useHandleMessage = () =>
  useAct(
    ({ id, handled }: { id: string; handled: boolean }) =>
      call(`/api/admin/contact-messages/${id}`, { method: 'POST', body: { handled } }),
    ({ handled }) => (handled ? 'Marked as handled' : 'Reopened'),
  )

export const useAnswerMessage = () =>
  useAct(
    ({ id, content }: { id: string; content: string }) =>
      call(`/api/admin/contact-messages/${id}/answers`, { method: 'POST', body: { content } }),
    () => 'Reply sent',
  )

const backupPollMs = 2_000

export const backupsQuery = () =>
  queryOptions({
    queryKey: [...all, 'backups'],
    queryFn: () => call('/api/admin/backups'),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.backups[0]?.state === 'running' ? backupPollMs : false),
  })

export const useStartBackup = () =>
  useAct(
    () => call('/api/admin/backups', { method: 'POST' }),
    () => 'Backup started',
  )

/** Sends a test email. If the mail server rejects it, the request still succeeds, and the caller shows the error from the response. */
export const useTestMail = () =>
  useMutation({
    mutationFn: () => call('/api/admin/test-mail', { method: 'POST' }),
    onSuccess: ({ to, kept, error }) => {
      if (error === null) toast({ title: kept ? `Test email saved for ${to}` : `Test email sent to ${to}` })
    },
    meta: { refused: 'Error' },
  })

const decided = {
  hide: 'Hidden',
  restore: 'Visible again',
  warn: 'Warning sent',
  suspend: 'Dealer suspended',
  dismiss: 'Reports dismissed',
} as const

export const useDecide = ({ kind, subjectId }: Pick<ModerationCase, 'kind' | 'subjectId'>) =>
  useAct(
    (body: ModerationDecision) => call(`/api/admin/moderation/${kind}/${subjectId}`, { method: 'POST', body }),
    ({ act }) => decided[act],
  )

export const useEditPlan = () =>
  useAct(
    ({ id, change }: { id: string; change: PlanEdit }) =>
      call(`/api/admin/plans/${id}`, { method: 'PATCH', body: change }),
    () => 'Plan saved',
  )
export const useEditAddOn = () =>
  useAct(
    ({ id, change }: { id: string; change: AddOnEdit }) =>
      call(`/api/admin/add-ons/${id}`, { method: 'PATCH', body: change }),
    () => 'Add-on saved',
  )
