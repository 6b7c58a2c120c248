import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus()

function subscribe(listener: () => void) {
  window.addEventListener('focus', listener)
  window.addEventListener('blur', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    window.removeEventListener('focus', listener)
    window.removeEventListener('blur', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

export const useIsLookedAt = (): boolean => useSyncExternalStore(subscribe, isLookedAt)

/** True if the element is on screen. `margin` extends the screen: `50% 0px` adds half a screen above and below. */
export function useOnScreen(element: RefObject<HTMLElement | null>, margin = '0px'): boolean {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) => setOn(entries.at(-1)?.isIntersecting === true), {
      rootMargin: margin,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, margin])
  return isOn
}
