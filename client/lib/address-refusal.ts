import { ApiError } from './api.ts'
import { defineSlice } from './slice.ts'

/** The server's sentence after it refused something because the dealer's address is not confirmed. */
const addressRefusal = defineSlice<{ reason: string | undefined }>('address-refusal', () => ({ reason: undefined }))

/** Keeps a refusal that a confirmed address would lift, for the dialog beside every page. */
export function noteAddressRefusal(error: Error): void {
  if (error instanceof ApiError && error.code === 'email_unconfirmed')
    addressRefusal.set((state) => void (state.reason = error.reason))
}

export const forgetAddressRefusal = (): void => addressRefusal.set((state) => void (state.reason = undefined))

export const useAddressRefusal = (): string | undefined => addressRefusal.use((state) => state.reason)
