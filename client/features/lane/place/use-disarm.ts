import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { Bidding } from '#client/lib/bidding.ts'

/**
 * Takes back what was armed by Escape, whichever keys are switched on, and where the focus leaves the place: for another part of
 * the page, or for none. @param within a part of the place, or all of it
 */
export function useDisarm(within: RefObject<HTMLElement | null>, { armed, drop }: Bidding): void {
  const isArmed = armed !== undefined
  const dropped = useEffectEvent(drop)
  useEffect(() => {
    const place = within.current?.closest('[data-place]') ?? within.current
    if (!isArmed || !place) return
    const isHere = (target: EventTarget | null) => target instanceof Node && place.contains(target)
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') dropped()
    }
    const enter = ({ target }: FocusEvent) => {
      if (!isHere(target)) dropped()
    }
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      // A control that is disabled while it has the focus loses it: what did that, such as a lost connection, takes back by itself and says so.
      const isDisabled = target instanceof Element && target.matches(':disabled')
      if (isHere(target) && relatedTarget === null && !isDisabled) dropped()
    }
    // Before a field that closes by Escape keeps it to itself.
    document.addEventListener('keydown', press, true)
    document.addEventListener('focusin', enter)
    document.addEventListener('focusout', leave)
    return () => {
      document.removeEventListener('keydown', press, true)
      document.removeEventListener('focusin', enter)
      document.removeEventListener('focusout', leave)
    }
  }, [isArmed, within])
}
