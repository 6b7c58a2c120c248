import { reasonOf } from '#client/lib/http/api.ts'
import { isRefusal } from '#client/lib/http/retries.ts'
import { toast } from '#client/ui/toast-store.ts'

/**
 * Handles a failed check of a payment that the provider accepted. Unless our server refused the payment, it may have succeeded, so the
 * user must not pay again: shows a toast and returns true. Returns false if the server refused.
 */
export function toastUnknownResult(error: Error): boolean {
  if (isRefusal(error)) return false
  toast({
    title: 'Payment Not Checked',
    description: `${reasonOf(error)} If your payment went through, your plan appears here.`,
  })
  return true
}

/** Shows that the bank has not confirmed the payment yet. Direct debits take days. */
export const toastProcessing = () =>
  toast({ title: 'Payment Processing', description: 'Your plan starts as soon as your bank has confirmed it.' })

/** Shows that the bank requires a confirmation, although the form has closed. */
export const toastUnconfirmed = () =>
  toast({
    title: 'Your bank needs confirmation',
    description: 'You left before confirming. Nothing was charged. Enter the card again to confirm.',
    variant: 'destructive',
  })
