import { useState } from 'react'
import { feedPollMs } from '#shared/limits.ts'
import { useConnection } from './connection.ts'

/** The documented poll interval while live events do not arrive; false otherwise. Randomized to spread the load. */
export function useOfflinePoll(): number | false {
  const isOffline = useConnection() === 'offline'
  const [everyMs] = useState(() => feedPollMs * (0.8 + Math.random() * 0.4))
  return isOffline ? everyMs : false
}
