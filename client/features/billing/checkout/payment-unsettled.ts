import { reasonOf } from '#client/lib/http/api.ts'
import { isRefusal } from '#client/lib/http/retries.ts'
import { toast } from '#client/ui/toast-store.ts'

/**
 * Call this if our server could not check a payment that the provider accepted. Returns false if the server rejected the payment. Otherwise
 * shows a toast and returns true, because the payment may have succeeded and the user must not pay again.
 */
export function toastUnknownResult(error: Error): boolean {
  if (isRefusal(error)) return false
  toast({
    title: 'Payment Not Confirmed',
    description: `${reasonOf(error)} If your payment went through, your plan will appear here.`,
  })
  return true
}

/** Shown while a payment is processing, because bank debits can take days to be confirmed. */
export const toastProcessing = () =>
  toast({ title: 'Payment Processing', description: 'Your plan starts as soon as your bank has confirmed it.' })

/** Shown if the bank requires confirmation after the form has closed. */
export const toastUnconfirmed = () =>
  toast({
    title: 'Your bank needs confirmation',
    description: 'You left before confirming. Nothing was charged. Enter the card again to confirm.',
    variant: 'destructive',
  })
