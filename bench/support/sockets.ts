import { io, type Socket } from 'socket.io-client'

const connectAtOnce = 40
const retryMs = 300
const withinMs = 20_000

/** Resolves at the greeting, after which the socket is in all of its rooms. A busy node is asked again; the wait counts. */
export function connect(url: string, cookie: string, greeting = 'hello'): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true, reconnection: false })
  return new Promise((resolve) => {
    socket.on('connect_error', () => setTimeout(() => socket.connect(), retryMs))
    socket.once(greeting, () => resolve(socket))
  })
}

/** So many sockets, some at a time; on a machine that is too slow for them, as many as it takes in the time given. */
export async function connectMany(count: number, open: (index: number) => Promise<Socket>): Promise<Socket[]> {
  const sockets: Socket[] = []
  const until = performance.now() + withinMs
  while (sockets.length < count && performance.now() < until) {
    const start = sockets.length
    const batch = Array.from({ length: Math.min(connectAtOnce, count - start) }, (_none, index) => open(start + index))
    sockets.push(...(await Promise.all(batch)))
  }
  return sockets
}
