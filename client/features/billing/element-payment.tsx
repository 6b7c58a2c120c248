import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe, type Appearance } from '@stripe/stripe-js'
import { type FormEvent, useMemo, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { useConfirmSubscription } from './billing.api.ts'

interface ElementPaymentProps {
  publishableKey: string
  clientSecret: string
  label: string
  onPaid: () => void
  onFailed: (error: Error) => void
}

/** The provider's element lives in its own frame and cannot read our CSS variables by itself. */
function appearance(): Appearance {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    theme: document.documentElement.dataset['theme'] === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: token('--lw-accent'),
      colorBackground: token('--lw-surface'),
      colorText: token('--lw-ink'),
      colorDanger: token('--lw-danger-ink'),
      borderRadius: '8px',
    },
  }
}

/** The provider's own form: card data goes from the browser to the provider and never to us. */
export function ElementPayment({ publishableKey, clientSecret, ...rest }: ElementPaymentProps) {
  const stripe = useMemo(() => loadStripe(publishableKey), [publishableKey])
  const options = useMemo(() => ({ clientSecret, appearance: appearance() }), [clientSecret])
  return (
    <Elements stripe={stripe} options={options} key={clientSecret}>
      <ElementForm {...rest} />
    </Elements>
  )
}

function ElementForm({ label, onPaid, onFailed }: Omit<ElementPaymentProps, 'publishableKey' | 'clientSecret'>) {
  const stripe = useStripe()
  const elements = useElements()
  const verify = useConfirmSubscription()
  const [ready, setReady] = useState(false)
  const [busy, setBusy] = useState(false)
  const [unreachable, setUnreachable] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!stripe || !elements) return
    setBusy(true)
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: `${window.location.origin}/subscribe?success=true` },
    })
    if (error) onFailed(new Error(error.message ?? ''))
    else await verify.mutateAsync(undefined).then(onPaid, onFailed)
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-4">
      {unreachable ? (
        <InlineError title="The payment form could not be loaded" message="Reload the page to try again." />
      ) : null}
      <PaymentElement onReady={() => setReady(true)} onLoadError={() => setUnreachable(true)} />
      <Button type="submit" variant="primary" size="lg" block disabled={!stripe || !ready} busy={busy}>
        {busy ? 'Processing...' : label}
      </Button>
    </form>
  )
}
