import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe, type Appearance, type Stripe, type StripeElements } from '@stripe/stripe-js'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { useConfirmSubscription } from '../billing.api.ts'
import { toastUnknownResult } from './payment-unsettled.ts'

export interface ElementPaymentProps {
  /** `payment` charges the card; `card` saves it without charging it. */
  kind: 'payment' | 'card'
  publishableKey: string
  clientSecret: string
  label: string
  /** `active` is false if the bank needs days to confirm the payment. */
  onPaid: (active: boolean) => void
  onFailed: (error: Error) => void
}

/** Styles for the provider's form, which is in an iframe and cannot read our CSS variables. */
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

/** `return_url` is used only by banks that redirect to their own page. Most banks do not redirect. */
const confirmations = {
  payment: (stripe: Stripe, elements: StripeElements) =>
    stripe.confirmPayment({ elements, redirect: 'if_required', confirmParams: backTo('/subscribe?success=true') }),
  card: (stripe: Stripe, elements: StripeElements) =>
    stripe.confirmSetup({ elements, redirect: 'if_required', confirmParams: backTo('/plan-management') }),
}

const backTo = (path: string) => ({ return_url: window.location.origin + path })

/** The payment provider's form. Card data never reaches our server. */
export function ElementPayment({ publishableKey, clientSecret, ...rest }: ElementPaymentProps) {
  // Resolves to null if the provider's script cannot be loaded. The form then shows an error.
  const stripe = useMemo(() => loadStripe(publishableKey).catch(() => null), [publishableKey])
  const options = useMemo(() => ({ clientSecret, appearance: appearance() }), [clientSecret])
  const [unreachable, setUnreachable] = useState(false)
  useEffect(() => void stripe.then((loaded) => setUnreachable(loaded === null)), [stripe])
  if (unreachable) return <NotLoaded />
  return (
    <Elements stripe={stripe} options={options} key={clientSecret}>
      <ElementForm clientSecret={clientSecret} {...rest} />
    </Elements>
  )
}

const NotLoaded = () => (
  <InlineError title="The payment form could not be loaded" message="Reload the page to try again." />
)

function ElementForm({ kind, clientSecret, label, onPaid, onFailed }: Omit<ElementPaymentProps, 'publishableKey'>) {
  const stripe = useStripe()
  const elements = useElements()
  const verify = useConfirmSubscription()
  const [state, setState] = useState<'loading' | 'ready' | 'busy' | 'failed'>('loading')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!stripe || !elements) return
    setState('busy')
    const { error } = await confirmations[kind](stripe, elements)
    if (error) onFailed(new Error(error.message ?? ''))
    else if (kind === 'card') onPaid(true)
    else
      await verify.mutateAsync(clientSecret).then(
        ({ subscription }) => onPaid(subscription?.status === 'active'),
        (failure: Error) => toastUnknownResult(failure) || onFailed(failure),
      )
    setState('ready')
  }
  if (state === 'failed') return <NotLoaded />
  return (
    <form onSubmit={(event) => void submit(event)} aria-label="Card payment" className="space-y-4">
      {state === 'loading' ? (
        <Loading label="Loading the payment form">
          <Skeleton className="h-40" />
        </Loading>
      ) : null}
      <PaymentElement onReady={() => setState('ready')} onLoadError={() => setState('failed')} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        block
        disabled={!stripe || state === 'loading'}
        busy={state === 'busy'}
      >
        {state === 'busy' ? 'Processing...' : label}
      </Button>
    </form>
  )
}
