import { type RefObject, useEffect, useRef } from 'react'

/** Escape pressed anywhere inside, unless something in there (a menu) has used it. */
export function useEscapeKey(element: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const act = useRef(onEscape)
  useEffect(() => {
    act.current = onEscape
  })
  useEffect(() => {
    const target = element.current
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.stopPropagation()
      act.current()
    }
    target?.addEventListener('keydown', press)
    return () => target?.removeEventListener('keydown', press)
  }, [element])
}
