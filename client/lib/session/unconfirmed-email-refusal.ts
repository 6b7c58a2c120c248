import { ApiError } from '../http/api.ts'
import { defineSlice } from '../storage/store-slice.ts'

/** A request that the server rejected because the dealer's email address is not confirmed. */
export interface AddressRefusal {
  /** The server's message. */
  reason: string
  /** True if the form keeps its input while the dealer confirms the address. */
  isInputKept: boolean
}

const addressRefusal = defineSlice<{ refusal: AddressRefusal | undefined }>('address-refusal', () => ({
  refusal: undefined,
}))

export function noteAddressRefusal(error: Error, isInputKept = false): void {
  if (error instanceof ApiError && error.code === 'email_unconfirmed')
    addressRefusal.set((state) => void (state.refusal = { reason: error.reason, isInputKept }))
}

export const forgetAddressRefusal = (): void => addressRefusal.set((state) => void (state.refusal = undefined))

export const useAddressRefusal = (): AddressRefusal | undefined => addressRefusal.use((state) => state.refusal)
