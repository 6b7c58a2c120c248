import { useCallback, useEffect, useRef } from 'react'

/**
 * Answers whether what has called this is still on the screen: for what leads to another page once an answer is there, and would take
 * whoever has left meanwhile from where they are.
 */
export function useIsShown(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => void (shown.current = false)
  }, [])
  return useCallback(() => shown.current, [])
}
