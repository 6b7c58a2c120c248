import { once } from 'node:events'
import type { Redis } from 'ioredis'

/** Closes a connection and waits: one that is still closing cannot reconnect. */
export async function hangUp(connection: Redis): Promise<void> {
  const ended = once(connection, 'end')
  connection.disconnect()
  await ended
}
