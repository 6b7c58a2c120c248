import { useEffect, useEffectEvent } from 'react'
import { isPressed, isTyping, keys } from '#client/lib/keys/shortcuts.ts'

interface FindActs {
  onText: () => void
  onFilters: () => void
  onWatch: (postId: string) => void
}

const vehicle = '[data-find-vehicle]'

function vehicleAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? (target.closest('article')?.querySelector<HTMLElement>(vehicle) ?? null) : null
}

function step(from: EventTarget | null, by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(vehicle)]
  const current = vehicleAt(from)
  const at = all.findIndex((one) => one === current)
  const next = at < 0 ? all[0] : all[at + by]
  next?.focus({ preventScroll: true })
  next?.closest('article')?.scrollIntoView({ block: 'nearest' })
}

export function useFindKeys(acts: FindActs): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.defaultPrevented || isTyping(target)) return
    const watched = vehicleAt(target)
    if (isPressed(event, keys.findText)) acts.onText()
    else if (isPressed(event, keys.findFilters)) acts.onFilters()
    else if (isPressed(event, keys.nextVehicle)) step(target, 1)
    else if (isPressed(event, keys.previousVehicle)) step(target, -1)
    else if (isPressed(event, keys.watchVehicle) && watched) acts.onWatch(watched.dataset['findVehicle'] ?? '')
    else return
    event.preventDefault()
    // On this page, `/` focuses the search field of Find instead of the global search.
    event.stopPropagation()
  })
  useEffect(() => {
    document.addEventListener('keydown', press, true)
    return () => document.removeEventListener('keydown', press, true)
  }, [])
}
