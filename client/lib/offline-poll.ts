import { useState } from 'react'
import { feedPollMs } from '#shared/limits.ts'
import { useConnection } from './connection.ts'

/** How often that which events follow is asked for while they do not come: the documented poll, not of all browsers at once. */
export function useOfflinePoll(): number | false {
  const isOffline = useConnection() === 'offline'
  const [everyMs] = useState(() => feedPollMs * (0.8 + Math.random() * 0.4))
  return isOffline ? everyMs : false
}
