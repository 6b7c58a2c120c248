import { useState } from 'react'
import type { PaymentInfo, PaymentOutcome } from '#shared/schemas/billing.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import { dismissToast } from '#client/ui/toast-store.ts'
import { usePayment } from '../billing.api.ts'
import { toastUnconfirmed } from './payment-unsettled.ts'

interface CardPaymentOptions {
  onPaid: () => void
  onFailed: (error: Error) => void
}

export type CardPayment = ReturnType<typeof useCardPayment>

/**
 * Pays or saves a card with our own card form, including the bank's challenge. `busy` stays true until the last response, so that a second
 * press does nothing.
 */
export function useCardPayment({ onPaid, onFailed }: CardPaymentOptions) {
  const [asked, setAsked] = useState<string>()
  const [refused, setRefused] = useState<Error>()
  const isShown = useIsMounted()
  const { complete, confirm, authenticate, refresh } = usePayment({
    onSuccess: ({ status, clientSecret }: PaymentOutcome) => {
      setAsked(status === 'requires_action' ? clientSecret : undefined)
      if (status !== 'succeeded') return isShown() ? undefined : toastUnconfirmed()
      onPaid()
      refresh()
    },
    onError: (error: Error) => {
      setAsked(undefined)
      setRefused(error)
      onFailed(error)
    },
  })
  return {
    busy: complete.isPending || confirm.isPending || authenticate.isPending || asked !== undefined,
    asking: asked !== undefined,
    answering: authenticate.isPending,
    refused,
    payForPlan: (plan: string, paymentInfo: PaymentInfo) => {
      dismissToast()
      complete.mutate({ plan, paymentInfo })
    },
    payFor: (clientSecret: string, paymentInfo: PaymentInfo) => {
      dismissToast()
      confirm.mutate({ clientSecret, paymentInfo })
    },
    answer: (approve: boolean) => {
      if (asked !== undefined) authenticate.mutate({ clientSecret: asked, approve })
    },
  }
}
