import { use, useState } from 'react'
import { CurrentDealerContext } from './current-dealer.ts'
import { type Guard, isShape, isText } from './guards.ts'
import { defineStored } from './storage.ts'

/** By dealer and form; a visitor's, such as of sign-in, by form alone. */
const storedForm = <Values extends object>(isValue: Guard<Values>) =>
  defineStored({ key: 'lanewire.form', area: 'session', version: 1, isValue })

/**
 * Texts of a form that a reload of this tab keeps (never card data or passwords), for who is signed in here and nobody else. Starts
 * with what was kept, else `initial`. `forget` is for when the form has done its work.
 */
export function usePersisted<Values extends { [Field in keyof Values]: string }>(form: string, initial: Values) {
  const dealer = use(CurrentDealerContext)
  const of = dealer ? `${dealer.id}.${form}` : form
  const [stored] = useState(() => storedForm(isTextsLike(initial)))
  const [values, setValues] = useState<Values>(() => stored.read(of) ?? initial)
  const replace = (next: Values) => {
    setValues(next)
    stored.write(next, of)
  }
  const set = <Field extends keyof Values>(field: Field, value: Values[Field]) => replace({ ...values, [field]: value })
  return { values, set, replace, forget: () => stored.write(undefined, of) }
}

/** For who logs out: what was half typed here is nobody's any more. */
export function forgetForms(): void {
  const forms = storedForm(isShape({}))
  for (const [of] of forms.entries()) forms.write(undefined, of)
}

const isTextsLike = <Values extends object>(initial: Values) =>
  isShape<Values>(
    Object.fromEntries(Object.keys(initial).map((field) => [field, isText])) as Parameters<typeof isShape<Values>>[0],
  )
