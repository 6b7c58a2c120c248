import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { changesOf } from '#client/lib/changes.ts'

export type FieldErrors<Values> = Partial<Record<keyof Values, string>>

/**
 * Puts the focus on the first wrong field of a form that is refused, with the marks and not a frame later: it scrolls, and by
 * then somebody may be pressing something else.
 */
export function useRefusal(): (form: HTMLFormElement) => void {
  const refused = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    refused.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    refused.current = null
  })
  return (form) => {
    refused.current = form
  }
}

interface FormOptions<Values> {
  initial: Values
  /** Called on submit; an empty answer lets the form go out. */
  validate: (values: Values) => FieldErrors<Values>
  /** `changed`: what stands there now and did not when the form opened, for who must not undo what others have changed meanwhile. */
  onSubmit: (values: Values, changed: Partial<Values>) => void
  /** Called instead of `onSubmit` when something is wrong, for the documented toast. */
  onInvalid?: (errors: FieldErrors<Values>) => void
  /** Hears what stands in the form, from the start on: to keep it for who leaves the page and comes back. */
  keep?: (values: Values) => void
}

/**
 * The state of one plain form: values, errors shown after the first press, focus on the first wrong field.
 * A corrected field loses its error as it is typed in.
 */
export function useFormState<Values extends object>({
  initial,
  validate,
  onSubmit,
  onInvalid,
  keep,
}: FormOptions<Values>) {
  const [began] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<Values>>({})
  const focusWrong = useRefusal()
  const sent = useRef<HTMLFormElement>(null)
  const hear = useEffectEvent((now: Values) => keep?.(now))
  useEffect(() => hear(values), [values])

  const set = <Key extends keyof Values>(key: Key, value: Values[Key]) => {
    setValues((current) => ({ ...current, [key]: value }))
    setErrors(({ [key]: _corrected, ...others }) => others as FieldErrors<Values>)
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    sent.current = event.currentTarget
    const found = validate(values)
    setErrors(found)
    if (Object.keys(found).length === 0) return onSubmit(values, changesOf(values, began))
    onInvalid?.(found)
    focusWrong(event.currentTarget)
  }

  /** What the server refuses of what was sent. */
  const refuse = (found: FieldErrors<Values>) => {
    setErrors(found)
    if (sent.current) focusWrong(sent.current)
  }

  return { values, errors, set, setValues, setErrors, refuse, submit }
}
