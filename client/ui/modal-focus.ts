import { type RefObject, useEffect, useRef } from 'react'

/** Focuses a modal's first field or, without one, the panel. Never the close button, because a stray Enter would press it. */
function focusFirst(panel: HTMLElement): void {
  const field = panel.querySelector<HTMLElement>(
    '[data-autofocus], input:not([type="file"]):not(:disabled), textarea:not(:disabled)',
  )
  ;(field ?? panel).focus()
}

/** Returns the element to focus once a modal closes: the focused element, or the button of the menu or modal that it replaces. */
function findOpener(): HTMLElement | null {
  const active = document.activeElement
  const marked = document.querySelector<HTMLElement>('[data-opener]')
  if (active === document.body) return marked
  const menu = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menu ? document.getElementById(menu) : active
  marked?.removeAttribute('data-opener')
  if (!(opener instanceof HTMLElement)) return null
  opener.setAttribute('data-opener', '')
  return opener
}

/** Marks the button of a closing menu. Needed if a modal opens before the menu has returned focus to its button. */
export const markOpener = (): void => void findOpener()

/** Returns focus to the opener or, if it no longer exists, to the main region. Does nothing if another element has focus. */
function returnFocus(opener: HTMLElement | null): void {
  if (document.activeElement !== document.body) return
  const there = opener?.isConnected ? opener : document.getElementById('main')
  there?.focus({ preventScroll: true })
}

/** Remembers the element that opened a modal and returns focus to it. Radix does that only for its own Trigger, which we do not use. */
export function useOpener() {
  const opener = useRef<HTMLElement>(null)
  return {
    remember: () => {
      opener.current = findOpener()
    },
    returnOnClose: (event: Event) => {
      event.preventDefault()
      returnFocus(opener.current)
    },
  }
}

export function useModalFocus() {
  const { remember, returnOnClose } = useOpener()
  return {
    onOpenAutoFocus: (event: Event) => {
      event.preventDefault()
      remember()
      if (event.currentTarget instanceof HTMLElement) focusFirst(event.currentTarget)
    },
    onCloseAutoFocus: returnOnClose,
  }
}

export function usePanelFocus(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const opener = findOpener()
    if (panel.current) focusFirst(panel.current)
    return () => returnFocus(opener)
  }, [panel])
}

/** For a form that replaces the button that opened it. Once the form closes, focus returns to the main region. */
export function useFormFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (form.current) focusFirst(form.current)
    return () => returnFocus(null)
  }, [form])
}
