import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestCardOutcome } from '#server/platform/stripe/stripe-test-cards.ts'
import { missing } from './stripe-faults.ts'
import type {
  CreditNote,
  Customer,
  Invoice,
  PaymentIntent,
  PaymentMethod,
  Price,
  Product,
  SetupIntent,
  StripeEvent,
  Subscription,
} from './stripe-records.ts'

interface Records {
  product: Product
  price: Price
  customer: Customer
  payment_method: PaymentMethod
  subscription: Subscription
  invoice: Invoice
  payment_intent: PaymentIntent
  setup_intent: SetupIntent
  credit_note: CreditNote
}

export type Tables = { [K in keyof Records]: Record<string, Records[K]> }

export interface Answer {
  at: number
  fingerprint: string
  statusCode: number
  body: string
}

export interface Delivery {
  event: StripeEvent
  attempts: number
}

interface State {
  /** Seconds by which tests have advanced this clock. */
  clockOffset: number
  invoiceCount: number
  tables: Tables
  /** Result of charging each saved card. Stored in place of the card number. */
  outcomes: Record<string, TestCardOutcome>
  answers: Record<string, Answer>
  deliveries: Record<string, Delivery>
}

const answersKeptMs = 24 * 3600 * 1000

const emptyState = (): State => ({
  clockOffset: 0,
  invoiceCount: 0,
  tables: {
    product: {},
    price: {},
    customer: {},
    payment_method: {},
    subscription: {},
    invoice: {},
    payment_intent: {},
    setup_intent: {},
    credit_note: {},
  },
  outcomes: {},
  answers: {},
  deliveries: {},
})

/** Reads the saved state. Adds fields that older files lack. A file that cannot be parsed counts as empty. */
function readState(saved: string): State {
  const empty = emptyState()
  try {
    const state = JSON.parse(saved) as State
    const tables = { ...empty.tables, ...state.tables }
    for (const id of Object.keys(tables.invoice))
      tables.invoice[id] = { post_payment_credit_notes_amount: 0, ...tables.invoice[id] } as Invoice
    return { ...empty, ...state, tables }
  } catch {
    return empty
  }
}

/** `expand` recognizes an object's type by the prefix of its id. */
export const idPrefixes = {
  product: 'prod',
  price: 'price',
  customer: 'cus',
  payment_method: 'pm',
  subscription: 'sub',
  invoice: 'in',
  payment_intent: 'pi',
  setup_intent: 'seti',
  credit_note: 'cn',
} as const satisfies Record<keyof Tables, string>

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

export class StripeStore {
  readonly #file: string
  #state: State
  #writing: Promise<void> = Promise.resolve()
  #dirty = false

  private constructor(file: string, state: State) {
    this.#file = file
    this.#state = state
  }

  static async open(dataDir: string): Promise<StripeStore> {
    await mkdir(dataDir, { recursive: true })
    const file = join(dataDir, 'stripe.json')
    const saved = await readFile(file, 'utf8').catch(() => undefined)
    const state = saved === undefined ? emptyState() : readState(saved)
    const oldest = Date.now() - answersKeptMs
    state.answers = Object.fromEntries(Object.entries(state.answers).filter(([, { at }]) => at > oldest))
    return new StripeStore(file, state)
  }

  get tables(): Tables {
    return this.#state.tables
  }

  get outcomes(): Record<string, TestCardOutcome> {
    return this.#state.outcomes
  }

  get answers(): Record<string, Answer> {
    return this.#state.answers
  }

  get deliveries(): Record<string, Delivery> {
    return this.#state.deliveries
  }

  now(): number {
    return Math.floor(Date.now() / 1000) + this.#state.clockOffset
  }

  advance(seconds: number): void {
    this.#state.clockOffset += seconds
  }

  nextInvoiceNumber(): string {
    this.#state.invoiceCount += 1
    return `LW-${String(this.#state.invoiceCount).padStart(6, '0')}`
  }

  get<K extends keyof Records>(kind: K, id: string | undefined): Records[K] {
    const table: Tables[K] = this.#state.tables[kind]
    const found = table[id ?? '']
    if (!found) throw missing(kind, id ?? '')
    return found
  }

  /** Saves changes that follow each other closely in one write. A crash never leaves a partial file. */
  save(): void {
    if (this.#dirty) return
    this.#dirty = true
    this.#writing = this.#writing.then(async () => {
      this.#dirty = false
      // If the folder is missing or the disk is full, the stand-in keeps working, but this save is lost.
      await writeFile(`${this.#file}.new`, JSON.stringify(this.#state))
        .then(() => rename(`${this.#file}.new`, this.#file))
        .catch(() => undefined)
    })
  }

  async close(): Promise<void> {
    this.save()
    await this.#writing
  }
}
