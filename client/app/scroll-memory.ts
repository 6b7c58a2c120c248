import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { defineSlice } from '#client/lib/slice.ts'

const memory = defineSlice('scroll', () => ({ places: {} as Record<string, number>, lastY: 0, isGoingBack: false }))

history.scrollRestoration = 'manual'
// Registered before the router's own listeners: the page that is left still stands, and the render already knows. The
// event of a scroll would come with the next frame, when somebody may have left.
for (const event of ['pushState', 'replaceState', 'popstate'])
  addEventListener(event, () => memory.set((held) => void (held.lastY = window.scrollY)))
addEventListener('popstate', () => memory.set((held) => void (held.isGoingBack = true)))
// A step through the filters of one page led to no other page: the next link is no step any more.
addEventListener('pushState', () => memory.set((held) => void (held.isGoingBack = false)))

/** A new page starts at its top; going back finds the place where one was. */
export function useScrollMemory(): void {
  const [path] = useLocation()
  useLayoutEffect(() => {
    const { isGoingBack, places } = memory.get()
    memory.set((held) => void (held.isGoingBack = false))
    window.scrollTo({ top: isGoingBack ? (places[path] ?? 0) : 0, behavior: 'instant' })
    return () => memory.set((held) => void (held.places[path] = held.lastY))
  }, [path])
}
