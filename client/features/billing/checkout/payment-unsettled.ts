import { reasonOf } from '#client/lib/api.ts'
import { isRefusal } from '#client/lib/retries.ts'
import { toast } from '#client/ui/toast-store.ts'

/**
 * For what became of a payment that the provider has taken, as our server was asked about it: without its answer the payment did not
 * fail, and nobody should be led to pay again. Answers whether that was so, and then says it.
 */
export function saysUnknown(error: Error): boolean {
  if (isRefusal(error)) return false
  toast({
    title: 'Payment Not Checked',
    description: `${reasonOf(error)} If your payment went through, your plan appears here.`,
  })
  return true
}

/** The bank has the payment and has not said yes: a debit of an account takes days. */
export const sayProcessing = () =>
  toast({ title: 'Payment Processing', description: 'Your plan starts as soon as your bank has confirmed it.' })

/** The bank wants to know who pays, and there is no form any more that could ask. */
export const sayUnasked = () =>
  toast({
    title: 'Your bank needs confirmation',
    description: 'You left before confirming. Nothing was charged. Enter the card again to confirm.',
    variant: 'destructive',
  })
