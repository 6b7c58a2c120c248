import { reasonOf } from '#client/lib/http/api.ts'
import { isRefusal } from '#client/lib/http/retries.ts'
import { toast } from '#client/ui/toast-store.ts'

/**
 * Call when our server could not be asked about a payment that the provider accepted. The payment may have succeeded,
 * so the user must not pay again. Returns true and shows a toast, unless the server refused.
 */
export function toastUnknownResult(error: Error): boolean {
  if (isRefusal(error)) return false
  toast({
    title: 'Payment Not Checked',
    description: `${reasonOf(error)} If your payment went through, your plan appears here.`,
  })
  return true
}

/** The bank has not confirmed the payment yet: direct debits take days. */
export const toastProcessing = () =>
  toast({ title: 'Payment Processing', description: 'Your plan starts as soon as your bank has confirmed it.' })

/** The bank asks for confirmation, but the form has closed. */
export const toastUnconfirmed = () =>
  toast({
    title: 'Your bank needs confirmation',
    description: 'You left before confirming. Nothing was charged. Enter the card again to confirm.',
    variant: 'destructive',
  })
