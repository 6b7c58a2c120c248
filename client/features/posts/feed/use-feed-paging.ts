import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { feedRevealDelayMs, feedScrollThreshold } from '#shared/limits.ts'

interface RevealOptions {
  /** Identifies the list of posts. If it changes, the feed starts again with one page. */
  resetKey: string
  firstPostId: string | undefined
  pageSize: number
  loaded: number
  hasMore: boolean
  loadMore: () => void
  list: RefObject<HTMLElement | null>
}

interface Remembered {
  key: string
  firstPostId: string | undefined
  count: number
}

// How many posts the feed shows. Kept when the dealer leaves the page, so that Back can restore the feed if it still starts with this post.
const remembered = defineSlice<Remembered>('feed', () => ({ key: '', firstPostId: undefined, count: 0 }))

/**
 * Shows one page of posts at first, and another page when the dealer scrolls past 80% of the list or `more` is called. `reset` starts again
 * with one page.
 */
export function useReveal({ resetKey, firstPostId, pageSize, loaded, hasMore, loadMore, list }: RevealOptions) {
  const [isKnown] = useState(() => {
    const { key, firstPostId: first } = remembered.get()
    return key === resetKey && first === firstPostId
  })
  const [state, setState] = useState(() => ({
    key: resetKey,
    count: isKnown ? Math.max(remembered.get().count, pageSize) : pageSize,
  }))
  const [pending, setPending] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (state.key !== resetKey) setState({ key: resetKey, count: pageSize })

  const exhausted = state.count >= loaded && !hasMore
  const more = useCallback(() => {
    if (timer.current !== undefined || exhausted) return
    if (state.count + pageSize >= loaded && hasMore) loadMore()
    setPending(true)
    timer.current = setTimeout(() => {
      timer.current = undefined
      setPending(false)
      setState((current) => (current.key === resetKey ? { ...current, count: current.count + pageSize } : current))
    }, feedRevealDelayMs)
  }, [exhausted, state.count, pageSize, loaded, hasMore, loadMore, resetKey])

  useEffect(() => {
    remembered.set((held) => void Object.assign(held, state, { firstPostId }))
  }, [state, firstPostId])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const listen = () => {
      const rect = list.current?.getBoundingClientRect()
      if (rect && rect.height > 0 && window.innerHeight - rect.top > rect.height * feedScrollThreshold) more()
    }
    addEventListener('scroll', listen, { passive: true })
    return () => removeEventListener('scroll', listen)
  }, [list, more])

  const reset = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    setPending(false)
    setState({ key: resetKey, count: pageSize })
  }
  return { count: state.count, isKnown, pending, exhausted, more, reset }
}
