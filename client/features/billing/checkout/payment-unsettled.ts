import { reasonOf } from '#client/lib/api.ts'
import { isRefusal } from '#client/lib/retries.ts'
import { toast } from '#client/ui/toast-store.ts'

/**
 * Call when our server could not be asked about a payment that the provider accepted. The payment may have succeeded,
 * so the user must not pay again. Returns true and shows a toast, unless the server refused.
 */
export function saysUnknown(error: Error): boolean {
  if (isRefusal(error)) return false
  toast({ title: 'Payment Not Checked', description: `${reasonOf(error)} A plan that is paid shows here.` })
  return true
}

/** The bank has not confirmed the payment yet: direct debits take days. */
export const sayProcessing = () =>
  toast({ title: 'Payment Processing', description: 'Your plan starts as soon as your bank has confirmed it.' })

/** The bank asks for confirmation, but the form has closed. */
export const sayUnasked = () =>
  toast({
    title: 'Your bank has a question',
    description: 'You had left before it could be asked. Nothing was charged: enter the card again to answer it.',
    variant: 'destructive',
  })
