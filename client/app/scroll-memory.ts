import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'

const places = new Map<string, number>()
let lastY = 0
let goingBack = false

history.scrollRestoration = 'manual'
addEventListener('scroll', () => (lastY = window.scrollY), { passive: true })
// Registered before the router's own listener, so that the render it causes already knows.
addEventListener('popstate', () => (goingBack = true))

/** A new page starts at its top; going back finds the place where one was. */
export function useScrollMemory(): void {
  const [path] = useLocation()
  useLayoutEffect(() => {
    const y = goingBack ? (places.get(path) ?? 0) : 0
    goingBack = false
    window.scrollTo({ top: y, behavior: 'instant' })
    return () => void places.set(path, lastY)
  }, [path])
}
