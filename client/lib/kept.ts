import { useState } from 'react'

/**
 * State that a reload of this tab keeps (never for card data or passwords). Starts with what was kept, else `initial`.
 * `forget` is for when the form has done its work.
 */
export function useKept<Value extends object>(key: string, initial: Value) {
  const storageKey = `lanewire.${key}`
  const [values, setValues] = useState<Value>(() => ({ ...initial, ...read(storageKey) }))
  const set = <Field extends keyof Value>(field: Field, value: Value[Field]) => {
    const next = { ...values, [field]: value }
    setValues(next)
    sessionStorage.setItem(storageKey, JSON.stringify(next))
  }
  const replace = (next: Value) => {
    setValues(next)
    sessionStorage.setItem(storageKey, JSON.stringify(next))
  }
  return { values, set, replace, forget: () => sessionStorage.removeItem(storageKey) }
}

function read(storageKey: string): object {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}
