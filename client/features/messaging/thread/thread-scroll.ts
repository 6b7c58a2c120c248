import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So close to the end counts as being there. */
const endPx = 24

const isAtEnd = (element: HTMLElement) => element.scrollHeight - element.scrollTop - element.clientHeight <= endPx

/** True: the row of that message is there, and now in the middle. */
function showRow(element: HTMLElement, seq: number | undefined): boolean {
  const row = seq === undefined ? null : element.querySelector(`[data-seq="${seq}"]`)
  row?.scrollIntoView({ block: 'center' })
  row?.classList.add('animate-flash')
  return row !== null
}

interface LogScroll {
  /** Differs whenever the rows at the end do. */
  content: string
  firstKey: string | undefined
  onMove: (atEnd: boolean) => void
}

/**
 * Keeps a log where its reader is: at the end it follows what arrives, scrolled up it stays, and rows put in front do
 * not move what is being read.
 */
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
  /** Before rows are put in front: from now on the reader's place is kept. */
  const hold = useCallback(() => move(false), [move])
  /** Brings a message to the middle and marks it, as soon as its row is there. Until then nothing else moves the log. */
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
    // A composer that grows, or a window that is resized, moves the end.
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return { log, atEnd, toEnd, onScroll, hold, reveal }
}
