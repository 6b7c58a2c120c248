import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from './toast-store.ts'

/**
 * Code that comes when it is first wanted, for what most visits never open. Where it does not come a toast says so.
 * @param load outside of any component: it is called once
 * @param onMissing takes the wish back, so that the next one tries again
 * @returns undefined until it is there
 */
export function useLoaded<Part extends object>(
  load: () => Promise<Part>,
  wanted: boolean,
  onMissing: () => void,
): Part | undefined {
  const [part, setPart] = useState<Part>()
  const miss = useEffectEvent(() => {
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
      () => void (isOver || miss()),
    )
    return () => {
      isOver = true
    }
  }, [load, wanted, part])
  return part
}
