import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { defineSlice } from '#client/lib/storage/store-slice.ts'

const memory = defineSlice('scroll', () => ({ places: {} as Record<string, number>, lastY: 0, isGoingBack: false }))

history.scrollRestoration = 'manual'
// These listeners are registered before the router's, so that they run while the old page is still rendered.
for (const event of ['pushState', 'replaceState', 'popstate'])
  addEventListener(event, () => memory.set((held) => void (held.lastY = window.scrollY)))
addEventListener('popstate', () => memory.set((held) => void (held.isGoingBack = true)))
// Back may change only a page's filters, without opening a page. Reset the flag, so that opening the next link does not count as Back.
addEventListener('pushState', () => memory.set((held) => void (held.isGoingBack = false)))

export function useScrollMemory(): void {
  const [path] = useLocation()
  useLayoutEffect(() => {
    const { isGoingBack, places } = memory.get()
    memory.set((held) => void (held.isGoingBack = false))
    window.scrollTo({ top: isGoingBack ? (places[path] ?? 0) : 0, behavior: 'instant' })
    return () => memory.set((held) => void (held.places[path] = held.lastY))
  }, [path])
}
