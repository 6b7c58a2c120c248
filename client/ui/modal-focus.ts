import { type RefObject, useEffect, useRef } from 'react'

/**
 * Where a modal's focus starts: the first field, else the panel itself. Never its close button, which is first in
 * the order and would be pressed by a stray Enter.
 */
function focusFirst(panel: HTMLElement): void {
  const field = panel.querySelector<HTMLElement>(
    '[data-autofocus], input:not([type="file"]):not(:disabled), textarea:not(:disabled)',
  )
  ;(field ?? panel).focus()
}

/**
 * What has the focus; for an item of a menu, which is gone by then, the button that opened the menu; for a modal that
 * takes the place of another, what opened that one, which carries a mark for it.
 */
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

/**
 * What was focused on purpose meanwhile, as the field of a chat, keeps the focus. Of an opener that is gone, as the act of an empty list
 * that has its first row now, the page's main region takes it.
 */
function returnFocus(opener: HTMLElement | null): void {
  if (document.activeElement !== document.body) return
  const there = opener?.isConnected ? opener : document.getElementById('main')
  there?.focus({ preventScroll: true })
}

/** Gives the focus back to what opened a modal. Radix knows only its own Trigger, and our modals are opened by state. */
export function useOpener() {
  const opener = useRef<HTMLElement>(null)
  return {
    remember: () => {
      opener.current = findOpener()
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      returnFocus(opener.current)
    },
  }
}

/** Both ends of a modal's focus, for the panel of a dialog or drawer. */
export function useModalFocus() {
  const { remember, giveBack } = useOpener()
  return {
    onOpenAutoFocus: (event: Event) => {
      event.preventDefault()
      remember()
      if (event.currentTarget instanceof HTMLElement) focusFirst(event.currentTarget)
    },
    onCloseAutoFocus: giveBack,
  }
}

/** The same for a panel that is not modal: the focus goes in as it opens, and is given back as it closes. */
export function usePanelFocus(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const opener = findOpener()
    if (panel.current) focusFirst(panel.current)
    return () => returnFocus(opener)
  }, [panel])
}

/** For a form that takes the place of the button that opened it: the focus goes in, and to the main region once the form is gone. */
export function useFormFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (form.current) focusFirst(form.current)
    return () => returnFocus(null)
  }, [form])
}
