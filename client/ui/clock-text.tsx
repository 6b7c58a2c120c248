import { useEffect, useEffectEvent, useRef } from 'react'
import { serverNow } from '#client/lib/live/connection.ts'
import { clockMs, onTick } from '#client/lib/live/shared-clocks.ts'
import { useOnScreen } from './on-screen.ts'

interface ClockTextProps {
  /** Returns the text at this time of the server, in epoch milliseconds. It is never empty. */
  read: (nowMs: number) => string
  /** False if the text cannot change anymore. */
  running: boolean
  className?: string
}

/**
 * A text that changes with the server's time, for example a countdown. Writes itself into the page once a second while it is on screen,
 * because a render by React takes several times as long.
 */
export function ClockText({ read, running, className }: ClockTextProps) {
  const span = useRef<HTMLSpanElement>(null)
  const isOn = useOnScreen(span)
  const write = useEffectEvent(() => {
    const [text, node] = [read(serverNow()), span.current?.firstChild]
    if (node && node.nodeValue !== text) node.nodeValue = text
  })
  // React compares with the text of its last render, and would leave a text that was written since.
  useEffect(() => write())
  useEffect(() => {
    if (!running || !isOn) return
    return onTick(() => write(), clockMs.second)
  }, [running, isOn])
  return (
    <span ref={span} className={className}>
      {read(serverNow())}
    </span>
  )
}
