import { use, useState } from 'react'
import { changesOf } from './changes.ts'
import { CurrentDealerContext } from './current-dealer.ts'
import type { Guard } from './guards.ts'
import { defineStored } from './storage.ts'

/** What a form may hold to be kept. */
export type Typed<Values> = { [Field in keyof Values]: string | boolean | null }

/** By dealer and form; a visitor's, such as of sign-in, by form alone. Only the fields that differ from what the form starts with. */
const storedForm = <Values extends object>(isValue: Guard<Partial<Values>>) =>
  defineStored({ key: 'lanewire.form', area: 'session', version: 1, isValue })

/**
 * What was typed into a form of a page (never card data or passwords): a reload of this tab and another page in between keep it, for
 * who is signed in here and nobody else. `start`: what the form opens with, which is what was kept, over `initial`. `keep` all of
 * it with each change, and `forget` it when the form has done its work: of what was `sent` that alone, since more may be typed by then.
 * `wasKept`: there was something, and it is not forgotten since.
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

/** The same, with the values themselves. */
export function usePersisted<Values extends Typed<Values>>(form: string, initial: Values) {
  const { start, keep, ...kept } = useKeptForm(form, initial)
  const [values, setValues] = useState(start)
  const replace = (next: Values) => {
    setValues(next)
    keep(next)
  }
  /** It was sent: the form is as it began, unless more was typed by then. */
  const sent = (was: Values) => {
    setValues((now) => (Object.keys(changesOf(now, was)).length === 0 ? initial : now))
    kept.forget(was)
  }
  const set = <Field extends keyof Values>(field: Field, value: Values[Field]) => replace({ ...values, [field]: value })
  return { ...kept, values, set, replace, sent }
}

/** For who logs out: what was half typed here is nobody's any more. */
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
