import { useEffect, useState } from 'react'
import { serverNow } from '#client/lib/connection.ts'

const tickMs = 250

/** The server's clock in ms, read four times a second while `running`. Independent of how wrong this machine's clock is. */
export function useServerClock(running = true): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(serverNow()), tickMs)
    return () => clearInterval(timer)
  }, [running])
  return now
}
