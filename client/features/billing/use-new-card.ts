import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import type { CardChange } from '#shared/schemas/billing.ts'
import { capitalise } from '#client/ui/format.ts'
import { toast } from '#client/ui/toast-store.ts'
import { useReplaceCard } from './billing.api.ts'

function toastChange({ paymentMethod: card, openInvoice, refusal }: CardChange) {
  const name = card ? `${capitalise(card.brand)} ending in ${card.last4}` : 'Your new card'
  if (openInvoice === 'refused') {
    const description = `${name} is saved, but the open invoice was not paid: ${refusal ?? ''}`
    toast({ title: 'Payment Failed', description, variant: 'destructive' })
  } else if (openInvoice === 'paid')
    toast({ title: 'Payment Successful', description: `The open invoice is paid with ${name}.` })
  else toast({ title: 'Card Changed', description: `${name} is charged from now on.` })
}

/** Makes a confirmed card the one that is charged, and says what came of it. */
export function useNewCard(done: () => void) {
  const { mutate, isPending } = useReplaceCard()
  const apply = (clientSecret: string) =>
    mutate(clientSecret, {
      onSuccess: (change) => {
        toastChange(change)
        done()
      },
    })
  return { apply, saving: isPending }
}

/** Back from the bank's own page: the provider names the card in the address, which is cleaned first. */
export function useReturnWithCard() {
  const [params, setParams] = useSearchParams()
  const { mutate } = useReplaceCard()
  const clientSecret = params.get('setup_intent_client_secret')
  useEffect(() => {
    if (clientSecret === null) return
    setParams(new URLSearchParams(), { replace: true })
    mutate(clientSecret, { onSuccess: toastChange })
  }, [clientSecret, setParams, mutate])
}
