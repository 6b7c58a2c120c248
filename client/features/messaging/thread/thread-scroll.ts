import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A log scrolled to within this many pixels of the end counts as being at the end. */
const endPx = 24

const isAtEnd = (element: HTMLElement) => element.scrollHeight - element.scrollTop - element.clientHeight <= endPx

/** Scrolls a message's row to the center and highlights the row. Returns false if the row is not rendered. */
function showRow(element: HTMLElement, seq: number | undefined): boolean {
  const row = seq === undefined ? null : element.querySelector(`[data-seq="${seq}"]`)
  row?.scrollIntoView({ block: 'center' })
  row?.classList.add('animate-flash')
  return row !== null
}

interface LogScroll {
  /** A string that changes whenever the last rows change. */
  content: string
  firstKey: string | undefined
  onMove: (atEnd: boolean) => void
}

/** Controls scrolling: at its end, the log follows new messages. While it is scrolled up, it stays in place. */
export function useLogScroll({ content, firstKey, onMove }: LogScroll) {
  const log = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const following = useRef(true)
  const target = useRef<number>(undefined)
  const before = useRef({ firstKey, content, height: 0 })

  const move = useCallback(
    (nowAtEnd: boolean) => {
      if (following.current !== nowAtEnd) onMove(nowAtEnd)
      following.current = nowAtEnd
      setAtEnd(nowAtEnd)
    },
    [onMove],
  )
  const toEnd = useCallback(() => {
    move(true)
    const element = log.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [move])
  const onScroll = useCallback(() => {
    if (log.current !== null && target.current === undefined) move(isAtEnd(log.current))
  }, [move])
  /** Call this before adding rows at the top, so that the scroll position is kept. */
  const hold = useCallback(() => move(false), [move])
  /** Centers and highlights a message once its row is rendered. Until then, nothing else scrolls the log. */
  const reveal = useCallback(
    (seq: number | undefined) => {
      target.current = seq
      if (seq !== undefined) move(false)
      if (log.current !== null && showRow(log.current, seq)) target.current = undefined
    },
    [move],
  )

  useLayoutEffect(() => {
    const element = log.current
    if (element === null) return
    const { firstKey: firstBefore, height } = before.current
    if (showRow(element, target.current)) target.current = undefined
    else if (following.current) element.scrollTop = element.scrollHeight
    else if (firstBefore !== firstKey && height > 0) element.scrollTop += element.scrollHeight - height
    before.current = { firstKey, content, height: element.scrollHeight }
  }, [content, firstKey])

  useEffect(() => {
    const element = log.current
    if (element === null) return
    // When the composer grows or the window is resized, the end moves, so scroll to the end again.
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return { log, atEnd, toEnd, onScroll, hold, reveal }
}
