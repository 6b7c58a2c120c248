import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** Resets a connection. Closes it normally if it is already ending, because Node never completes such a reset and would hang at exit. */
const drop = (socket: Socket) => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy())

export interface Proxy {
  url: string
  cut(): void
  /** Keeps connections open but forwards nothing, as if the service hung. */
  blackHole(): void
  /** Pauses open connections without losing data. New connections work. */
  hold(): void
  heal(): void
}

type Mode = 'open' | 'cut' | 'hole'

/** Starts a load balancer that sends each new connection to the current `target`. */
export async function balance(t: Test, target: () => string): Promise<string> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const { port, hostname } = new URL(target())
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      open.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function proxyTo(t: Test, url: string): Promise<Proxy> {
  const target = new URL(url)
  const [port, host] = [Number(target.port), target.hostname]
  const pairs = new Set<[Socket, Socket]>()
  let mode: Mode = 'open'
  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (mode === 'cut') return drop(client)
    const upstream = connect(port, host)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (chunk) => {
        if (mode === 'open') to.write(chunk)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
    return undefined
  })
  const reset = () => {
    for (const [client, upstream] of pairs) {
      drop(client)
      upstream.destroy()
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    reset()
    server.close()
  })
  target.hostname = '127.0.0.1'
  // Remove the tests' longer timeout (./services.ts), so that an outage of Redis triggers the product's own timeout.
  target.searchParams.delete('commandTimeout')
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    cut() {
      mode = 'cut'
      reset()
    },
    blackHole() {
      mode = 'hole'
    },
    hold() {
      for (const socket of [...pairs].flat()) socket.pause()
    },
    heal() {
      for (const socket of [...pairs].flat()) socket.resume()
      // The black hole discarded data, so reset the connections that are still open.
      if (mode === 'hole') reset()
      mode = 'open'
    },
  }
}
