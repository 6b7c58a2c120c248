import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Provider } from './stripe-billing.ts'
import { runDue } from './stripe-clock.ts'
import { present, presentList } from './stripe-expand.ts'
import { badRequest } from './stripe-faults.ts'
import { listAt, mapAt, numberAt, parseForm, textAt, type Form } from './stripe-form.ts'
import { authenticateIntent, confirmIntent, createPaymentMethod, creditInvoice, payInvoice } from './stripe-payments.ts'
import type { Customer, Price, Product } from './stripe-records.ts'
import { authenticateSetup, confirmSetup, createSetup } from './stripe-setup.ts'
import { newId } from './stripe-store.ts'
import { createSubscription, endSubscription, previewInvoice, updateSubscription } from './stripe-subscriptions.ts'

interface ById {
  Params: { id: string }
}

const defaultPageSize = 10

/** POST requests send the parameters in the body, GET requests in the query string, both in the same encoding. */
function formOf(request: FastifyRequest): Form {
  if (typeof request.body === 'string') return parseForm(request.body)
  return parseForm(request.url.split('?')[1] ?? '')
}

const expandOf = (form: Form) => listAt(form, 'expand')
const pageOf = (form: Form) => ({
  limit: numberAt(form, 'limit') ?? defaultPageSize,
  after: textAt(form, 'starting_after'),
})

export const catalogRoutes: FastifyPluginAsync<{ provider: Provider }> = async (app, { provider: { store } }) => {
  app.post('/v1/products', async (request) => {
    const form = formOf(request)
    const id = textAt(form, 'id') ?? newId('prod')
    if (store.tables.product[id]) throw badRequest('Product already exists.', 'id', 'resource_already_exists')
    const name = textAt(form, 'name') ?? ''
    const product: Product = {
      id,
      object: 'product',
      name,
      active: true,
      created: store.now(),
      metadata: mapAt(form, 'metadata'),
    }
    store.tables.product[id] = product
    return present(store, product)
  })
  app.get<ById>('/v1/products/:id', async ({ params }) => present(store, store.get('product', params.id)))

  app.post('/v1/prices', async (request) => {
    const form = formOf(request)
    const amount = numberAt(form, 'unit_amount')
    if (amount === undefined || !Number.isInteger(amount) || amount < 0)
      throw badRequest('Invalid integer.', 'unit_amount')
    const price: Price = {
      id: newId('price'),
      object: 'price',
      active: true,
      created: store.now(),
      currency: textAt(form, 'currency') ?? 'usd',
      lookup_key: textAt(form, 'lookup_key') ?? null,
      metadata: mapAt(form, 'metadata'),
      product: store.get('product', textAt(form, 'product')).id,
      recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
      type: 'recurring',
      unit_amount: amount,
    }
    store.tables.price[price.id] = price
    return present(store, price)
  })
  app.get('/v1/prices', async (request) => {
    const form = formOf(request)
    const keys = listAt(form, 'lookup_keys')
    const found = Object.values(store.tables.price).filter(
      ({ lookup_key: key }) => keys.length === 0 || keys.includes(key ?? ''),
    )
    return presentList(store, '/v1/prices', found, pageOf(form), expandOf(form))
  })
}

export const customerRoutes: FastifyPluginAsync<{ provider: Provider }> = async (app, { provider }) => {
  const { store } = provider
  app.post('/v1/customers', async (request) => {
    const form = formOf(request)
    const customer: Customer = {
      id: newId('cus'),
      object: 'customer',
      balance: 0,
      created: store.now(),
      email: textAt(form, 'email') ?? null,
      invoice_settings: { default_payment_method: null },
      metadata: mapAt(form, 'metadata'),
      name: textAt(form, 'name') ?? null,
    }
    store.tables.customer[customer.id] = customer
    return present(store, customer, expandOf(form))
  })
  app.get<ById>('/v1/customers/:id', async (request) =>
    present(store, store.get('customer', request.params.id), expandOf(formOf(request))),
  )
  app.post<ById>('/v1/customers/:id', async (request) => {
    const form = formOf(request)
    const customer = store.get('customer', request.params.id)
    const method = textAt(form, 'invoice_settings', 'default_payment_method')
    if (method !== undefined) customer.invoice_settings.default_payment_method = store.get('payment_method', method).id
    customer.email = textAt(form, 'email') ?? customer.email
    return present(store, customer, expandOf(form))
  })
  app.post('/v1/payment_methods', async (request) => present(store, createPaymentMethod(provider, formOf(request))))
  app.get<ById>('/v1/payment_methods/:id', async ({ params }) => present(store, store.get('payment_method', params.id)))
  app.post<ById>('/v1/payment_methods/:id/attach', async (request) => {
    const method = store.get('payment_method', request.params.id)
    method.customer = store.get('customer', textAt(formOf(request), 'customer')).id
    return present(store, method)
  })
}

export const subscriptionRoutes: FastifyPluginAsync<{ provider: Provider }> = async (app, { provider }) => {
  const { store } = provider
  app.post('/v1/subscriptions', async (request) => {
    const form = formOf(request)
    return present(store, createSubscription(provider, form), expandOf(form))
  })
  app.get('/v1/subscriptions', async (request) => {
    const form = formOf(request)
    const status = textAt(form, 'status') ?? 'open'
    const customer = textAt(form, 'customer')
    if (customer !== undefined) store.get('customer', customer)
    const found = Object.values(store.tables.subscription).filter(
      (subscription) =>
        [undefined, subscription.customer].includes(customer) &&
        (status === 'all' || (status === 'open' ? subscription.ended_at === null : subscription.status === status)),
    )
    return presentList(store, '/v1/subscriptions', found, pageOf(form), expandOf(form))
  })
  app.get<ById>('/v1/subscriptions/:id', async (request) =>
    present(store, store.get('subscription', request.params.id), expandOf(formOf(request))),
  )
  app.post<ById>('/v1/subscriptions/:id', async (request) => {
    const form = formOf(request)
    return present(
      store,
      updateSubscription(provider, store.get('subscription', request.params.id), form),
      expandOf(form),
    )
  })
  app.delete<ById>('/v1/subscriptions/:id', async ({ params }) => {
    const subscription = store.get('subscription', params.id)
    if (subscription.ended_at !== null)
      throw badRequest(`No such subscription: '${params.id}'`, 'id', 'resource_missing')
    return present(store, endSubscription(provider, subscription))
  })
}

export const paymentRoutes: FastifyPluginAsync<{ provider: Provider }> = async (app, { provider }) => {
  const { store } = provider
  app.get('/v1/invoices', async (request) => {
    const form = formOf(request)
    const { id } = store.get('customer', textAt(form, 'customer'))
    const found = Object.values(store.tables.invoice).filter(({ customer }) => customer === id)
    return presentList(store, '/v1/invoices', found, pageOf(form), expandOf(form))
  })
  app.get<ById>('/v1/invoices/:id', async (request) =>
    present(store, store.get('invoice', request.params.id), expandOf(formOf(request))),
  )
  app.post<ById>('/v1/invoices/:id/pay', async (request) => {
    const form = formOf(request)
    const invoice = store.get('invoice', request.params.id)
    return present(store, payInvoice(provider, invoice, textAt(form, 'payment_method')), expandOf(form))
  })
  app.get('/v1/credit_notes', async (request) => {
    const form = formOf(request)
    const [customer, invoice] = [textAt(form, 'customer'), textAt(form, 'invoice')]
    const found = Object.values(store.tables.credit_note).filter(
      (note) => [undefined, note.customer].includes(customer) && [undefined, note.invoice].includes(invoice),
    )
    return presentList(store, '/v1/credit_notes', found, pageOf(form), expandOf(form))
  })
  app.post('/v1/credit_notes', async (request) => present(store, creditInvoice(provider, formOf(request))))
  app.post('/v1/invoices/create_preview', async (request) => present(store, previewInvoice(provider, formOf(request))))
  app.get<ById>('/v1/payment_intents/:id', async ({ params }) => present(store, store.get('payment_intent', params.id)))
  app.post<ById>('/v1/payment_intents/:id/confirm', async (request) => {
    const intent = store.get('payment_intent', request.params.id)
    return present(store, confirmIntent(provider, intent, textAt(formOf(request), 'payment_method')))
  })
}

export const setupRoutes: FastifyPluginAsync<{ provider: Provider }> = async (app, { provider }) => {
  const { store } = provider
  app.post('/v1/setup_intents', async (request) => present(store, createSetup(provider, formOf(request))))
  app.get<ById>('/v1/setup_intents/:id', async (request) =>
    present(store, store.get('setup_intent', request.params.id), expandOf(formOf(request))),
  )
  app.post<ById>('/v1/setup_intents/:id/confirm', async (request) => {
    const setup = store.get('setup_intent', request.params.id)
    return present(store, confirmSetup(provider, setup, textAt(formOf(request), 'payment_method')))
  })
}

/** Calls that are not part of Stripe's API. They stand for Stripe's hosted pages and its test clock. */
export const controlRoutes: FastifyPluginAsync<{ provider: Provider }> = async (app, { provider }) => {
  const { store } = provider
  app.post<ById>('/v1/test_helpers/payment_intents/:id/authenticate', async (request) => {
    const approved = textAt(formOf(request), 'outcome') === 'succeeded'
    return present(store, authenticateIntent(provider, store.get('payment_intent', request.params.id), approved))
  })
  app.post<ById>('/v1/test_helpers/setup_intents/:id/authenticate', async (request) => {
    const approved = textAt(formOf(request), 'outcome') === 'succeeded'
    return present(store, authenticateSetup(provider, store.get('setup_intent', request.params.id), approved))
  })
  app.post('/v1/test_helpers/clock/advance', async (request) => {
    const seconds = numberAt(formOf(request), 'seconds')
    if (seconds === undefined || !(seconds > 0)) throw badRequest('seconds must be a positive number.', 'seconds')
    store.advance(seconds)
    runDue(provider)
    return { object: 'clock', now: store.now() }
  })
}
