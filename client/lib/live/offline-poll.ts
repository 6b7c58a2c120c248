import { useState } from 'react'
import { feedPollMs } from '#shared/limits.ts'
import { useConnection } from './connection.ts'

/** Returns the poll interval in milliseconds while offline, otherwise false. The interval is random, which spreads the load. */
export function useOfflinePoll(): number | false {
  const isOffline = useConnection() === 'offline'
  const [everyMs] = useState(() => feedPollMs * (0.8 + Math.random() * 0.4))
  return isOffline ? everyMs : false
}
