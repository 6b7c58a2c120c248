/** A parsed request body in Stripe's encoding, such as `items[0][price]=price_1&expand[]=latest_invoice`. */
export type FormValue = string | FormValue[] | Form
export interface Form {
  [key: string]: FormValue
}

interface Branch {
  [key: string]: Branch | string
}

/** Repeated `key[]` entries keep their order. Objects whose keys are all numbers become arrays. */
export function parseForm(encoded: string): Form {
  const root: Branch = {}
  for (const [key, value] of new URLSearchParams(encoded)) place(root, keyPath(key), value)
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, settle(value)]))
}

function keyPath(key: string): string[] {
  const [head = '', ...rest] = key.split('[')
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))]
}

function place(branch: Branch, path: string[], value: string): void {
  const [head = '', ...rest] = path
  const key = head === '' ? String(Object.keys(branch).length) : head
  if (rest.length === 0) {
    branch[key] = value
    return
  }
  const next = branch[key]
  const child: Branch = typeof next === 'object' ? next : {}
  branch[key] = child
  place(child, rest, value)
}

function settle(value: Branch | string): FormValue {
  if (typeof value === 'string') return value
  const keys = Object.keys(value)
  const settled = keys.map((key) => settle(value[key] ?? ''))
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) return settled
  return Object.fromEntries(keys.map((key, index) => [key, settled[index] ?? '']))
}

export function textAt(form: Form, ...path: (string | number)[]): string | undefined {
  const found = valueAt(form, path)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(form: Form, ...path: (string | number)[]): number | undefined {
  const text = textAt(form, ...path)
  return text === undefined ? undefined : Number(text)
}

export function listAt(form: Form, ...path: (string | number)[]): string[] {
  const found = valueAt(form, path)
  if (!Array.isArray(found)) return []
  return found.filter((entry): entry is string => typeof entry === 'string')
}

export function mapAt(form: Form, ...path: (string | number)[]): Record<string, string> {
  const found = valueAt(form, path)
  if (typeof found !== 'object' || Array.isArray(found)) return {}
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function valueAt(form: Form, path: (string | number)[]): FormValue | undefined {
  return path.reduce<FormValue | undefined>((value, step) => {
    if (value === undefined || typeof value === 'string') return undefined
    return Array.isArray(value) ? value[Number(step)] : value[step]
  }, form)
}
