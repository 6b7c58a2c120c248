import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { Bidding } from '#client/lib/auction/bidding.ts'

/**
 * Cancels an armed amount, which is a bid that waits for confirmation, when the dealer presses Escape or focus leaves the grid position.
 * @param within the position, or an element inside it
 */
export function useDisarm(within: RefObject<HTMLElement | null>, { armed, drop }: Bidding): void {
  const isArmed = armed !== undefined
  const dropped = useEffectEvent(drop)
  useEffect(() => {
    const position = within.current?.closest('[data-position]') ?? within.current
    if (!isArmed || !position) return
    const isHere = (target: EventTarget | null) => target instanceof Node && position.contains(target)
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') dropped()
    }
    const enter = ({ target }: FocusEvent) => {
      if (!isHere(target)) dropped()
    }
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      // A control also loses focus when it becomes disabled. The code that disables the control cancels the amount itself.
      const isDisabled = target instanceof Element && target.matches(':disabled')
      if (isHere(target) && relatedTarget === null && !isDisabled) dropped()
    }
    // Listen in the capture phase, because fields also close on Escape and stop the event.
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
