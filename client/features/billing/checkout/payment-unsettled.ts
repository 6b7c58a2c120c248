import { reasonOf } from '#client/lib/http/api.ts'
import { isRefusal } from '#client/lib/http/retries.ts'
import { toast } from '#client/ui/toast-store.ts'

/**
 * Call this if our server could not check a payment that the provider accepted. Shows a toast and returns true, because the payment may
 * have succeeded and the user must not pay again. Returns false if the server refused the payment.
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

/** Shows that the bank requires confirmation, but that the form has already closed. */
export const toastUnconfirmed = () =>
  toast({
    title: 'Your bank needs confirmation',
    description: 'You left before confirming. Nothing was charged. Enter the card again to confirm.',
    variant: 'destructive',
  })
