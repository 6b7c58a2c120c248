import { type RefObject, useEffect } from 'react'
import { impressionMs, impressionsAtOnce, impressionShare } from '#shared/limits.ts'
import { call } from './api.ts'

// What this tab has said already: the server counts a dealer once a day, and is not asked again and again.
const opened = new Set<string>()
const shown = new Set<string>()
let waiting: string[] = []

const today = (postId: string) => `${new Date().toISOString().slice(0, 10)}:${postId}`

/** Counts a view: the dealer has opened the post's page, its gallery, its comments or its auction. */
export function useOpened(postId: string): void {
  useEffect(() => {
    const key = today(postId)
    if (opened.has(key)) return
    opened.add(key)
    // A figure that is lost is no fault to tell of.
    call(`/api/inventory/${postId}/view`, { method: 'PUT' }).catch(() => opened.delete(key))
  }, [postId])
}

const tellAfterMs = 3_000

function tell(): void {
  const postIds = waiting.splice(0, impressionsAtOnce)
  if (postIds.length === 0) return
  call('/api/inventory/impressions', { method: 'POST', body: { postIds } }).catch(() => {
    for (const postId of postIds) shown.delete(today(postId))
  })
  if (waiting.length > 0) tell()
}

function noteShown(postId: string): void {
  const key = today(postId)
  if (shown.has(key)) return
  shown.add(key)
  if (waiting.length === 0) setTimeout(tell, tellAfterMs)
  waiting.push(postId)
}

/** Counts an impression: half of the card was on screen for a second. */
export function useShown(card: RefObject<HTMLElement | null>, postId: string): void {
  useEffect(() => {
    const element = card.current
    if (!element || shown.has(today(postId))) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const isIn = (entries.at(-1)?.intersectionRatio ?? 0) >= impressionShare
        clearTimeout(timer)
        timer = isIn ? setTimeout(() => document.hidden || noteShown(postId), impressionMs) : undefined
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
