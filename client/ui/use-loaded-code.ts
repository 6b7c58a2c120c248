import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from './toast-store.ts'

/**
 * Loads code once it is `wanted`. If loading fails, shows a toast and calls `onMissing`.
 * @param load must be defined outside of components, so that it is the same function in every render
 * @param onMissing must reset `wanted`, so that the user can try again
 */
export function useLoaded<Part extends object>(
  load: () => Promise<Part>,
  wanted: boolean,
  onMissing: () => void,
): Part | undefined {
  const [part, setPart] = useState<Part>()
  const toastLoadFailure = useEffectEvent(() => {
    toast({
      title: 'This could not be opened',
      description: 'You may be offline, or there is a new version. Try again, or reload the page.',
      variant: 'destructive',
    })
    onMissing()
  })
  useEffect(() => {
    if (!wanted || part !== undefined) return undefined
    let isOver = false
    load().then(
      (loaded) => void (isOver || setPart(loaded)),
      () => void (isOver || toastLoadFailure()),
    )
    return () => {
      isOver = true
    }
  }, [load, wanted, part])
  return part
}
