import { useState } from 'react'
import { isShape, isText } from './guards.ts'
import { defineStored } from './storage.ts'

/**
 * Texts of a form that a reload of this tab keeps (never card data or passwords). Starts with what was kept, else `initial`.
 * `forget` is for when the form has done its work.
 */
export function usePersisted<Values extends { [Field in keyof Values]: string }>(key: string, initial: Values) {
  const [stored] = useState(() =>
    defineStored<Values>({ key: `lanewire.${key}`, area: 'session', version: 1, isValue: isTextsLike(initial) }),
  )
  const [values, setValues] = useState<Values>(() => stored.read() ?? initial)
  const replace = (next: Values) => {
    setValues(next)
    stored.write(next)
  }
  const set = <Field extends keyof Values>(field: Field, value: Values[Field]) => replace({ ...values, [field]: value })
  return { values, set, replace, forget: () => stored.write(undefined) }
}

const isTextsLike = <Values extends object>(initial: Values) =>
  isShape<Values>(
    Object.fromEntries(Object.keys(initial).map((field) => [field, isText])) as Parameters<typeof isShape<Values>>[0],
  )
