import { once } from 'node:events'
import type { Redis } from 'ioredis'

/** Ends a connection, and waits until it is over: one that is still ending cannot be connected again. */
export async function hangUp(connection: Redis): Promise<void> {
  const ended = once(connection, 'end')
  connection.disconnect()
  await ended
}
