import { useRef } from 'react'

/**
 * Where a modal's focus starts: the first field, else the panel itself. Never its close button, which is first in
 * the order and would be pressed by a stray Enter.
 */
function focusModal(event: Event): void {
  event.preventDefault()
  if (!(event.currentTarget instanceof HTMLElement)) return
  const field = event.currentTarget.querySelector<HTMLElement>(
    '[data-autofocus], input:not([type="file"]):not(:disabled), textarea:not(:disabled)',
  )
  ;(field ?? event.currentTarget).focus()
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
 * Gives the focus back to what opened a modal. Radix knows only its own Trigger, and our modals are opened by state.
 * What was focused on purpose meanwhile, as the field of a chat, keeps the focus.
 */
export function useOpener() {
  const opener = useRef<HTMLElement>(null)
  return {
    remember: () => {
      opener.current = findOpener()
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      if (document.activeElement === document.body) opener.current?.focus({ preventScroll: true })
    },
  }
}

/** Both ends of a modal's focus, for the panel of a dialog or drawer. */
export function useModalFocus() {
  const { remember, giveBack } = useOpener()
  return {
    onOpenAutoFocus: (event: Event) => {
      remember()
      focusModal(event)
    },
    onCloseAutoFocus: giveBack,
  }
}
