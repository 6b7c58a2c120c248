import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { changesOf } from '#client/lib/form/changed-values.ts'

export type FieldErrors<Values> = Partial<Record<keyof Values, string>>

/** Returns a function that focuses a form's first invalid field. It waits until the errors are rendered, because focusing scrolls. */
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
  validate: (values: Values) => FieldErrors<Values>
  /** `changed` has only the fields that the user edited, so that saving does not overwrite other people's edits. */
  onSubmit: (values: Values, changed: Partial<Values>) => void
  onInvalid?: (errors: FieldErrors<Values>) => void
  keep?: (values: Values) => void
}

/** State of a form. Submitting shows errors and focuses the first invalid field. Editing a field clears its error. */
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
  const onEdit = useEffectEvent((now: Values) => keep?.(now))
  useEffect(() => onEdit(values), [values])

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

  const refuse = (found: FieldErrors<Values>) => {
    setErrors(found)
    if (sent.current) focusWrong(sent.current)
  }

  return { values, errors, set, setValues, setErrors, refuse, submit }
}
