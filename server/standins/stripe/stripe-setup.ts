import type { Provider } from './stripe-billing.ts'
import { badRequest } from './stripe-faults.ts'
import { mapAt, textAt, type Form } from './stripe-form.ts'
import { authenticationFailed, declined, refusalFault } from './stripe-payments.ts'
import type { PaymentError, SetupIntent } from './stripe-records.ts'
import { newId } from './stripe-store.ts'

/** Saves a card without charging it. The customer confirms it now, so later charges need no confirmation. */
export function createSetup({ store }: Provider, form: Form): SetupIntent {
  const id = newId('seti')
  const setup: SetupIntent = {
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${newId('s').slice(2)}`,
    created: store.now(),
    customer: store.get('customer', textAt(form, 'customer')).id,
    last_setup_error: null,
    metadata: mapAt(form, 'metadata'),
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  }
  store.tables.setup_intent[id] = setup
  return setup
}

export function confirmSetup(provider: Provider, setup: SetupIntent, paymentMethodId: string | undefined): SetupIntent {
  if (setup.status === 'succeeded') {
    const message = 'You cannot confirm this SetupIntent because it has already succeeded.'
    throw badRequest(message, 'setup_intent', 'setup_intent_unexpected_state')
  }
  const method = provider.store.get('payment_method', paymentMethodId ?? setup.payment_method ?? '')
  setup.payment_method = method.id
  const outcome = provider.store.outcomes[method.id]
  if (outcome?.kind === 'authenticates') {
    setup.status = 'requires_action'
    setup.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
    provider.webhooks.emit('setup_intent.requires_action', setup)
    return setup
  }
  if (outcome?.kind === 'declines' && !outcome.attaches) {
    refuse(provider, setup, declined(outcome))
    throw refusalFault(declined(outcome))
  }
  return save(provider, setup)
}

export function authenticateSetup(provider: Provider, setup: SetupIntent, approved: boolean): SetupIntent {
  if (setup.status !== 'requires_action') {
    const message = 'This SetupIntent does not wait for authentication.'
    throw badRequest(message, 'setup_intent', 'setup_intent_unexpected_state')
  }
  if (!approved)
    return refuse(provider, setup, { ...authenticationFailed, code: 'setup_intent_authentication_failure' })
  const outcome = provider.store.outcomes[setup.payment_method ?? '']
  if (outcome?.kind === 'authenticates' && outcome.once)
    provider.store.outcomes[setup.payment_method ?? ''] = { kind: 'succeeds' }
  return save(provider, setup)
}

function save(provider: Provider, setup: SetupIntent): SetupIntent {
  provider.store.get('payment_method', setup.payment_method ?? '').customer = setup.customer
  Object.assign(setup, { status: 'succeeded', next_action: null, last_setup_error: null })
  provider.webhooks.emit('setup_intent.succeeded', setup)
  return setup
}

function refuse(provider: Provider, setup: SetupIntent, error: PaymentError): SetupIntent {
  Object.assign(setup, { status: 'requires_payment_method', next_action: null, last_setup_error: error })
  provider.webhooks.emit('setup_intent.setup_failed', setup)
  return setup
}
