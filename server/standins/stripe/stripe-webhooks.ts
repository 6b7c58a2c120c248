import { createHmac } from 'node:crypto'
import { present } from './stripe-expand.ts'
import type { StripeEvent } from './stripe-records.ts'
import { newId, type StripeStore } from './stripe-store.ts'

export interface WebhookTarget {
  url: () => string
  secret: string
  retryDelaysMs: readonly number[]
}

const deliveryTimeoutMs = 10_000
/** Maximum concurrent deliveries. Advancing the clock by a month creates dozens of events at once. */
const atOnce = 8

/** Returns Stripe's signature header `t=…,v1=…`. Uses the real time, because receivers reject old timestamps. */
function signPayload(payload: string, secret: string, atSeconds = Math.floor(Date.now() / 1000)): string {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${payload}`).digest('hex')
  return `t=${atSeconds},v1=${signature}`
}

/** Delivers each event until the receiver accepts it or the retries run out. Undelivered events survive a restart. */
export class StripeWebhooks {
  readonly #store: StripeStore
  readonly #target: WebhookTarget
  readonly #apiVersion: string
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #waiting: string[] = []
  #closed = false

  constructor(store: StripeStore, target: WebhookTarget, apiVersion: string) {
    this.#store = store
    this.#target = target
    this.#apiVersion = apiVersion
  }

  emit(type: string, record: object): void {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: this.#apiVersion,
      created: this.#store.now(),
      data: { object: present(this.#store, record) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    }
    this.#store.deliveries[event.id] = { event, attempts: 0 }
    this.#schedule(event.id, 0)
  }

  resume(): void {
    for (const id of Object.keys(this.#store.deliveries)) this.#schedule(id, 0)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.allSettled(this.#inFlight)
  }

  #schedule(id: string, delayMs: number): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#waiting.push(id)
      this.#sendWaiting()
    }, delayMs)
    this.#timers.add(timer)
  }

  #sendWaiting(): void {
    while (!this.#closed && this.#inFlight.size < atOnce) {
      const id = this.#waiting.shift()
      if (id === undefined) return
      const sending = this.#deliver(id).finally(() => {
        this.#inFlight.delete(sending)
        this.#sendWaiting()
      })
      this.#inFlight.add(sending)
    }
  }

  async #deliver(id: string): Promise<void> {
    const delivery = this.#store.deliveries[id]
    if (!delivery) return
    delivery.attempts += 1
    if (await this.#post(JSON.stringify(delivery.event))) {
      delete this.#store.deliveries[id]
    } else {
      const delay = this.#target.retryDelaysMs[delivery.attempts - 1]
      if (delay === undefined) delete this.#store.deliveries[id]
      else this.#schedule(id, delay)
    }
    this.#store.save()
  }

  async #post(payload: string): Promise<boolean> {
    try {
      const response = await fetch(this.#target.url(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signPayload(payload, this.#target.secret),
        },
        body: payload,
        signal: AbortSignal.timeout(deliveryTimeoutMs),
      })
      return response.ok
    } catch {
      return false // For example, the receiver may not be listening yet. The delivery is retried.
    }
  }
}
