import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'

const places = new Map<string, number>()
let lastY = 0
let goingBack = false

history.scrollRestoration = 'manual'
// Registered before the router's own listeners: the page that is left still stands, and the render already knows. The
// event of a scroll would come with the next frame, when somebody may have left.
for (const event of ['pushState', 'replaceState', 'popstate']) addEventListener(event, () => (lastY = window.scrollY))
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
