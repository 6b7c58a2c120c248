import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isNarrow } from './screen-width.ts'

interface Step extends Event {
  navigationType: string
  destination: { index: number; url: string }
}

const isStep = (event: Event): event is Step => 'navigationType' in event && event.navigationType === 'traverse'

/** True if Back leads to another page. A change of only the query string, such as another chat or filter, does not count. */
function leavesByBack({ destination }: Step, at: number): boolean {
  return destination.index < at && new URL(destination.url).pathname !== location.pathname
}

interface BackStep {
  open: boolean
  panel: RefObject<HTMLElement | null>
  /** If there is unsaved input, opens a confirmation and returns true. */
  confirmDiscard?: () => boolean
  onBack?: (() => void) | undefined
}

/** Back asks about unsaved input and, on a phone, closes the panel. Safari before 26.2 and Firefox before 147 cannot stop Back. */
export function useCloseOnBack({ open, panel, confirmDiscard, onBack }: BackStep): void {
  const onStep = useEffectEvent((event: Event) => {
    const isTop = [...document.querySelectorAll('[role="dialog"]')].at(-1) === panel.current
    const narrow = isNarrow()
    if (!isStep(event) || !event.cancelable || (narrow && !isTop)) return
    if (confirmDiscard?.() === true) return event.preventDefault()
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
