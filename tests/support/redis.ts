import { once } from 'node:events'
import type { Redis } from 'ioredis'

/** Closes a connection and waits until it is closed, because a connection that is still closing cannot reconnect. */
export async function hangUp(connection: Redis): Promise<void> {
  const ended = once(connection, 'end')
  connection.disconnect()
  await ended
}

/** Connects again and waits until the connection is ready. If the first attempt fails, ioredis retries, as it does in the product. */
export async function reconnect(connection: Redis): Promise<void> {
  const ready = new Promise<void>((resolve) => connection.once('ready', resolve))
  connection.connect().catch(() => undefined)
  await ready
}
