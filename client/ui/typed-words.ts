import { type FocusEvent, type FormEvent, useRef } from 'react'

type TextField = HTMLInputElement | HTMLTextAreaElement

/** Holds words or figures of one's own. Not what searches or picks, nor secrets, which nobody gets back anyway. */
const holdsWords = (field: Element): field is TextField =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLInputElement &&
    !field.matches(
      '[type="search"], [type="password"], [type="file"], [type="checkbox"], [type="radio"], [type="range"], [role="combobox"], [autocomplete="one-time-code"]',
    ))

const fieldsOf = (panel: HTMLElement) => [...panel.querySelectorAll('input, textarea')].filter(holdsWords)

/**
 * Whether somebody has typed into a panel what its closing would lose: what stands in a field differs from what stood there first.
 * What is on its way to the server at that moment is not lost.
 */
export function useTypedWords() {
  const first = useRef(new Map<TextField, string>())
  const typed = useRef(new Set<TextField>())
  /** Events of a dialog over this one come here too, as React has them bubble. */
  const fieldOf = ({ target, currentTarget }: { target: EventTarget; currentTarget: Element }) =>
    target instanceof Element && currentTarget.contains(target) && holdsWords(target) ? target : undefined
  const remember = (field: TextField) => {
    if (!first.current.has(field)) first.current.set(field, field.value)
  }
  return {
    /** As the panel opens. */
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
    /** For the panel. */
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
