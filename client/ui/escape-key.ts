import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'

/** Handles Escape inside the element, unless a component in it, such as a menu, has already handled the key. */
export function useEscapeKey(element: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const act = useEffectEvent(onEscape)
  useEffect(() => {
    const target = element.current
    const press = (event: KeyboardEvent) => {
      if (!isPressed(event, keys.close) || event.defaultPrevented) return
      event.stopPropagation()
      act()
    }
    target?.addEventListener('keydown', press)
    return () => target?.removeEventListener('keydown', press)
  }, [element])
}
