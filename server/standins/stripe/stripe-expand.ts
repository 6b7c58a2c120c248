import { idPrefixes, type StripeStore, type Tables } from './stripe-store.ts'

type Wire = Record<string, unknown>

const onRequest = ['confirmation_secret']

/** Serializes a record. Replaces ids in the fields that `expand` names with their objects. */
export function present(store: StripeStore, record: object, expand: readonly string[] = []): Wire {
  const copy = toWire(record)
  for (const field of onRequest) if (!expand.includes(field)) delete copy[field]
  const heads = new Set(expand.map((path) => path.split('.')[0] ?? ''))
  for (const head of heads) {
    const rest = expand.filter((path) => path.startsWith(`${head}.`)).map((path) => path.slice(head.length + 1))
    if (head in copy) copy[head] = expandValue(store, copy[head], rest)
  }
  return copy
}

function expandValue(store: StripeStore, value: unknown, rest: string[]): unknown {
  if (typeof value === 'string') {
    const found = lookup(store, value)
    return found ? present(store, found, rest) : value
  }
  if (Array.isArray(value)) return value.map((entry: unknown) => expandValue(store, entry, rest))
  if (typeof value === 'object' && value !== null) return present(store, value, rest)
  return value
}

function lookup(store: StripeStore, id: string): object | undefined {
  const kinds = Object.keys(idPrefixes) as (keyof Tables)[]
  const kind = kinds.find((name) => id.startsWith(`${idPrefixes[name]}_`))
  return kind && store.tables[kind][id]
}

function toWire(record: object): Wire {
  return structuredClone(record) as Wire
}

/** Returns records in Stripe's list format, newest first: at most `limit` records after the record with the id `after`. */
export function presentList(
  store: StripeStore,
  url: string,
  records: { id: string; created: number }[],
  { limit, after }: { limit: number; after: string | undefined },
  expand: string[],
) {
  const sorted = records.toReversed().toSorted((a, b) => b.created - a.created)
  const inner = expand.filter((path) => path.startsWith('data.')).map((path) => path.slice('data.'.length))
  const rest = sorted.slice(after === undefined ? 0 : sorted.findIndex(({ id }) => id === after) + 1)
  const data = rest.slice(0, limit).map((record) => present(store, record, inner))
  return { object: 'list', url, has_more: rest.length > limit, data }
}
