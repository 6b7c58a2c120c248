import { ApiError } from '../http/api.ts'
import { defineSlice } from '../storage/store-slice.ts'

/** The server's message about a request that it rejected because the dealer's email address is not confirmed. */
const addressRefusal = defineSlice<{ reason: string | undefined }>('address-refusal', () => ({ reason: undefined }))

export function noteAddressRefusal(error: Error): void {
  if (error instanceof ApiError && error.code === 'email_unconfirmed')
    addressRefusal.set((state) => void (state.reason = error.reason))
}

export const forgetAddressRefusal = (): void => addressRefusal.set((state) => void (state.reason = undefined))

export const useAddressRefusal = (): string | undefined => addressRefusal.use((state) => state.reason)
