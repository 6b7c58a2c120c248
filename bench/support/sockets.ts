import { io, type Socket } from 'socket.io-client'

const connectAtOnce = 40
const retryMs = 300
const withinMs = 20_000

/** Resolves to a socket that has joined its rooms. Retries while the node is busy. @throws if this takes more than twenty seconds */
export function connect(url: string, cookie: string, greeting = 'hello'): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true, reconnection: false })
  return new Promise((resolve, reject) => {
    let refusals = 0
    let reason = 'no greeting'
    let retry: NodeJS.Timeout | undefined
    const again = (why: string) => {
      refusals += 1
      reason = why
      retry = setTimeout(() => socket.connect(), retryMs)
    }
    const refused = (error: Error) => again(error.message)
    const stopAsking = () => {
      clearTimeout(patience)
      clearTimeout(retry)
      socket.off('connect_error', refused)
      socket.off('disconnect', again)
    }
    const patience = setTimeout(() => {
      stopAsking()
      socket.disconnect()
      reject(new Error(`not let in within ${withinMs / 1_000} s, refused ${refusals} times: ${reason}`))
    }, withinMs)
    socket.on('connect_error', refused)
    socket.on('disconnect', again)
    socket.once(greeting, () => {
      stopAsking()
      resolve(socket)
    })
  })
}

/** Handles an event whether it arrives on its own or in a batch. */
export function listen(socket: Socket, name: string, handle: (event: never) => void): void {
  socket.on(name, handle as (event: unknown) => void)
  socket.on('batch', (events: [string, never][]) => {
    for (const [each, event] of events) if (each === name) handle(event)
  })
}

/** Opens up to `count` sockets in batches. Stops after the time limit. */
export async function connectMany(count: number, open: (index: number) => Promise<Socket>) {
  const sockets: Socket[] = []
  let refused = 0
  const until = performance.now() + withinMs
  for (let tried = 0; tried < count && performance.now() < until; tried = sockets.length + refused) {
    const start = tried
    const batch = Array.from({ length: Math.min(connectAtOnce, count - start) }, (_none, index) => open(start + index))
    for (const outcome of await Promise.allSettled(batch))
      if (outcome.status === 'fulfilled') sockets.push(outcome.value)
      else refused += 1
  }
  return { sockets, refused }
}

/** Joins a post's room. @throws if the server does not answer in time */
export async function watchPost(socket: Socket, postId: string): Promise<void> {
  await socket.timeout(withinMs).emitWithAck('view', { kind: 'post', id: postId, on: true })
}
