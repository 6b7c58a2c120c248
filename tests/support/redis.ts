import { once } from 'node:events'
import type { Redis } from 'ioredis'

/** Closes a connection and waits until it is closed, because a connection that is still closing cannot reconnect. */
export async function hangUp(connection: Redis): Promise<void> {
  const ended = once(connection, 'end')
  connection.disconnect()
  await ended
}
