import { use, useState } from 'react'
import { changesOf } from '../form/changed-values.ts'
import { CurrentDealerContext } from '../session/current-dealer.ts'
import type { Guard } from '../http/type-guards.ts'
import { defineStored } from './browser-storage.ts'

export type Typed<Values> = { [Field in keyof Values]: string | boolean | null }

const storedForm = <Values extends object>(isValue: Guard<Partial<Values>>) =>
  defineStored({ key: 'lanewire.form', area: 'session', version: 1, isValue })

/**
 * Keeps a form's values in this tab across reloads. Never use it for card data or passwords.
 * `forget(sent)` forgets only the values that were sent. `wasKept` is true if kept values were restored.
 */
export function useKeptForm<Values extends Typed<Values>>(form: string, initial: Values) {
  const dealer = use(CurrentDealerContext)
  const of = dealer ? `${dealer.id}.${form}` : form
  const [stored] = useState(() => storedForm(isPartOf(initial)))
  const [kept, setKept] = useState(() => stored.read(of))
  const [start] = useState<Values>(() => ({ ...initial, ...kept }))
  const write = (changed: Partial<Values>) => stored.write(Object.keys(changed).length === 0 ? undefined : changed, of)
  return {
    start,
    wasKept: kept !== undefined,
    keep: (values: Values) => write(changesOf(values, initial)),
    forget: (sent?: Values) => {
      setKept(undefined)
      write(sent === undefined ? {} : changesOf({ ...sent, ...stored.read(of) }, sent))
    },
  }
}

/** Like `useKeptForm`, but also has the values as React state. */
export function useKeptFormState<Values extends Typed<Values>>(form: string, initial: Values) {
  const { start, keep, ...kept } = useKeptForm(form, initial)
  const [values, setValues] = useState(start)
  const replace = (next: Values) => {
    setValues(next)
    keep(next)
  }
  /** Resets the form after it was sent, unless the dealer has edited it since. */
  const sent = (was: Values) => {
    setValues((now) => (Object.keys(changesOf(now, was)).length === 0 ? initial : now))
    kept.forget(was)
  }
  const set = <Field extends keyof Values>(field: Field, value: Values[Field]) => replace({ ...values, [field]: value })
  return { ...kept, values, set, replace, sent }
}

export function forgetForms(): void {
  const forms = storedForm((value): value is object => typeof value === 'object' && value !== null)
  for (const [of] of forms.entries()) forms.write(undefined, of)
}

const kindOf = (value: unknown) => (value === null ? 'string' : typeof value)

const isPartOf =
  <Values extends Typed<Values>>(initial: Values): Guard<Partial<Values>> =>
  (value): value is Partial<Values> =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([field, kept]) => Object.hasOwn(initial, field) && kindOf(kept) === kindOf(Reflect.get(initial, field)),
    )
