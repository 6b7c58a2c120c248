import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { leavePush } from '#client/lib/push-device.ts'
import { forgetTypedText } from '#client/lib/storage/drafts.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { useSettingsChange } from '#client/lib/session/save-settings.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { AccountDeletion } from '#shared/schemas/account.ts'

export const useSaveSettings = () => useSettingsChange(() => toast({ title: 'Saved' }))

const exportPollMs = 2_000

export const dataExportQuery = () =>
  queryOptions({
    queryKey: ['/api/account/export'],
    queryFn: () => call('/api/account/export'),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.export?.state === 'preparing' ? exportPollMs : false),
  })

export function useRequestExport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('/api/account/export', { method: 'POST' }),
    onMutate: () => dealerIn(queryClient),
    onSuccess: (made, _nothing, dealerAtStart) => {
      if (dealerIn(queryClient) === dealerAtStart)
        queryClient.setQueryData(dataExportQuery().queryKey, { export: made })
    },
    meta: { refused: 'Your data was not requested' },
  })
}

/** Deletes the account, and then loads a new page, which clears all of the dealer's data from memory. */
export function useDeleteAccount() {
  return useMutation({
    mutationFn: (body: AccountDeletion) =>
      withProof((given) => call('/api/account', { method: 'DELETE', body: { ...body, ...given } })),
    onSuccess: () => {
      forgetTypedText()
      void leavePush()
      window.location.assign('/')
    },
  })
}
