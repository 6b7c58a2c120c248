import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isNarrow } from './narrow.ts'

interface Step extends Event {
  navigationType: string
  destination: { index: number; url: string }
}

const isStep = (event: Event): event is Step => 'navigationType' in event && event.navigationType === 'traverse'

/** To another page: what is in the address of this one, as a chat or a filter, has steps of its own. */
function leavesByBack({ destination }: Step, at: number): boolean {
  return destination.index < at && new URL(destination.url).pathname !== location.pathname
}

interface BackStep {
  open: boolean
  panel: RefObject<HTMLElement | null>
  /** Asks whether to go, where there is something to lose; false: there is not. */
  asks?: () => boolean
  /** On a phone Back is how one leaves what covers the page, as in the phone's own programs. */
  onBack?: (() => void) | undefined
}

/**
 * A step through the history while a panel is open. Where the browser cannot be told to stay, it goes: Safari before 26.2 and Firefox
 * before 147.
 */
export function useBackStep({ open, panel, asks, onBack }: BackStep): void {
  const onStep = useEffectEvent((event: Event) => {
    const isTop = [...document.querySelectorAll('[role="dialog"]')].at(-1) === panel.current
    const narrow = isNarrow()
    // On a phone the topmost one closes first, and those below it lose nothing.
    if (!isStep(event) || !event.cancelable || (narrow && !isTop)) return
    if (asks?.() === true) return event.preventDefault()
    if (onBack === undefined || !narrow || !leavesByBack(event, window.navigation.currentEntry?.index ?? 0)) return
    event.preventDefault()
    onBack()
  })
  useEffect(() => {
    const steps =
      open && 'navigation' in window && window.navigation instanceof EventTarget ? window.navigation : undefined
    steps?.addEventListener('navigate', onStep)
    return () => steps?.removeEventListener('navigate', onStep)
  }, [open])
}
