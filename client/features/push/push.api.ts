import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#client/lib/http/api.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { storedPush } from '#client/lib/push-device.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import type { PushDevice, PushDevicePatch } from '#shared/schemas/push.ts'

/** The dealer's devices, and the public key for push subscriptions. Fails with 404 if the operator has disabled push. */
export function pushQuery() {
  return queryOptions({
    queryKey: ['/api/push'] as const,
    queryFn: ({ signal }) => call('/api/push', { signal }),
    ...liveQuery,
  })
}

/** True if the operator has disabled push (`PUSH=off`). */
export const isPushOff = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export function useChangeDevice() {
  const cache = useQueryClient()
  const { queryKey } = pushQuery()
  const showDevice = (id: string, patch: PushDevicePatch) =>
    cache.setQueryData(
      queryKey,
      (state) =>
        state && { ...state, devices: state.devices.map((one) => (one.id === id ? { ...one, ...patch } : one)) },
    )
  return useMutation({
    mutationFn: ({ id, ...patch }: PushDevicePatch & { id: string }) =>
      call(`/api/push/devices/${id}`, { method: 'PATCH', body: patch }),
    scope: { id: 'push-device' },
    onMutate: ({ id, ...patch }) => {
      showDevice(id, patch)
      return dealerIn(cache)
    },
    onSuccess: ({ isCurrent, hideContent }, _patch, dealerId) => {
      const kept = dealerId === undefined ? undefined : storedPush.read(dealerId)
      if (isCurrent && kept) storedPush.write({ ...kept, hidesContent: hideContent }, dealerId)
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
    meta: { refused: 'Not saved' },
  })
}

/** Removes a device. Also succeeds if the device was already removed elsewhere. */
export function useRemoveDevice() {
  const cache = useQueryClient()
  const { queryKey } = pushQuery()
  return useMutation({
    mutationFn: removeDevice,
    onMutate: () => dealerIn(cache),
    onSuccess: (_nothing, id, dealerAtStart) => {
      if (dealerIn(cache) !== dealerAtStart) return
      cache.setQueryData(queryKey, (state) => state && without(state, id))
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
    meta: { refused: 'The device was not removed' },
  })
}

const without = <State extends { devices: PushDevice[] }>(state: State, id: string): State => ({
  ...state,
  devices: state.devices.filter((device) => device.id !== id),
})

export async function removeDevice(id: string): Promise<void> {
  try {
    await call(`/api/push/devices/${id}`, { method: 'DELETE' })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

export function useTestDevice() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(`/api/push/devices/${id}/test`, { method: 'POST', body: {} }),
    onSettled: () => cache.invalidateQueries({ queryKey: pushQuery().queryKey }),
  })
}
