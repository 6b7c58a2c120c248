import { type RefObject, useEffect } from 'react'
import { impressionMs, impressionsAtOnce, impressionShare } from '#shared/limits.ts'
import { call } from '../http/api.ts'
import { defineSlice, keepNewest } from '../storage/store-slice.ts'

/** Maximum number of views to remember. Reporting a forgotten view again does no harm, because the server counts it once. */
const reportedMax = 1_000

interface Seen {
  opened: Record<string, true>
  shown: Record<string, true>
  waiting: string[]
}

const seen = defineSlice<Seen>('seen', () => ({ opened: {}, shown: {}, waiting: [] }))

const today = (postId: string) => `${new Date().toISOString().slice(0, 10)}:${postId}`

/** Reports a view of a post once a day: the dealer opened its page, gallery, comments or auction. */
export function useOpened(postId: string): void {
  useEffect(() => {
    const key = today(postId)
    if (seen.get().opened[key]) return
    seen.set(({ opened }) => {
      opened[key] = true
      keepNewest(opened, reportedMax)
    })
    // Do not show an error, because a lost view does not matter to the dealer.
    call(`/api/inventory/${postId}/view`, { method: 'PUT' }).catch(() =>
      seen.set(({ opened }) => void delete opened[key]),
    )
  }, [postId])
}

const sendAfterMs = 3_000

function sendImpressions(): void {
  const postIds = seen.get().waiting.slice(0, impressionsAtOnce)
  if (postIds.length === 0) return
  seen.set((state) => void (state.waiting = state.waiting.slice(postIds.length)))
  call('/api/inventory/impressions', { method: 'POST', body: { postIds } }).catch(() =>
    seen.set(({ shown }) => {
      for (const postId of postIds) delete shown[today(postId)]
    }),
  )
  sendImpressions()
}

function queueImpression(postId: string): void {
  const key = today(postId)
  const { shown, waiting } = seen.get()
  if (shown[key]) return
  if (waiting.length === 0) setTimeout(sendImpressions, sendAfterMs)
  seen.set((state) => {
    state.shown[key] = true
    keepNewest(state.shown, reportedMax)
    state.waiting.push(postId)
  })
}

/** Reports an impression of a post once a day: at least half of its card was on screen for a second. */
export function useShown(card: RefObject<HTMLElement | null>, postId: string): void {
  useEffect(() => {
    const element = card.current
    if (!element || seen.get().shown[today(postId)]) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const isIn = (entries.at(-1)?.intersectionRatio ?? 0) >= impressionShare
        clearTimeout(timer)
        timer = isIn ? setTimeout(() => document.hidden || queueImpression(postId), impressionMs) : undefined
      },
      { threshold: impressionShare },
    )
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [card, postId])
}
