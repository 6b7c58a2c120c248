import { type FocusEvent, type FormEvent, useRef } from 'react'

type TextField = HTMLInputElement | HTMLTextAreaElement

/** True for fields with text worth keeping. Excludes search fields, pickers, passwords and codes. */
const keepsText = (field: Element): field is TextField =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLInputElement &&
    !field.matches(
      '[type="search"], [type="password"], [type="file"], [type="checkbox"], [type="radio"], [type="range"], [role="combobox"], [autocomplete="one-time-code"]',
    ))

const fieldsOf = (panel: HTMLElement) => [...panel.querySelectorAll('input, textarea')].filter(keepsText)

/** Tracks whether closing a panel would lose typed input. Input does not count while it is being sent to the server. */
export function useUnsavedText() {
  const first = useRef(new Map<TextField, string>())
  const typed = useRef(new Set<TextField>())
  /** Ignores events from a dialog that was opened from this one. React bubbles those events to this dialog, too. */
  const fieldOf = ({ target, currentTarget }: { target: EventTarget; currentTarget: Element }) =>
    target instanceof Element && currentTarget.contains(target) && keepsText(target) ? target : undefined
  const remember = (field: TextField) => {
    if (!first.current.has(field)) first.current.set(field, field.value)
  }
  return {
    begin: (panel: HTMLElement) => {
      for (const field of fieldsOf(panel)) remember(field)
    },
    areLeft: (): boolean =>
      [...typed.current].some(
        (field) =>
          field.isConnected &&
          field.value !== (first.current.get(field) ?? '') &&
          field.closest('[role="dialog"]')?.querySelector('[aria-busy="true"]') === null,
      ),
    handlers: {
      onFocus: (event: FocusEvent<HTMLElement>) => {
        const field = fieldOf(event)
        if (field) remember(field)
      },
      onChange: (event: FormEvent<HTMLElement>) => {
        const field = fieldOf(event)
        if (field) typed.current.add(field)
      },
    },
  }
}
