import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

const controls = 'a, button, input, textarea, select, label, [role="button"], [data-no-open]'

/**
 * Opens the post on a press anywhere on its card except on a control (spec A §2). A convenience for pointers: the
 * keyboard has the title's link. Listens natively, so what a portal draws for the card does not count as the card.
 */
export function useCardPress(address: string) {
  const card = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  useEffect(() => {
    const element = card.current
    if (!element) return
    const press = (event: MouseEvent) => {
      if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(controls))) return
      // The end of a text selection is not a press.
      if (window.getSelection()?.isCollapsed === false) return
      navigate(address)
    }
    element.addEventListener('click', press)
    return () => element.removeEventListener('click', press)
  }, [address, navigate])
  return card
}
