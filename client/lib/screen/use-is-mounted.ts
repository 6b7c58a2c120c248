import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that is true while the component is mounted. Check it before navigating after a response. */
export function useIsMounted(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => void (shown.current = false)
  }, [])
  return useCallback(() => shown.current, [])
}
