import { useSyncExternalStore } from 'react'

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

/** Whether this tab is in front of somebody. */
export const useIsLookedAt = (): boolean => useSyncExternalStore(subscribe, isLookedAt)
