import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * Resets a connection; one that ends already is only closed: Node takes a reset of it for begun, never finishes it, and at the
 * process' end waits for it for ever.
 */
const drop = (socket: Socket) => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy())

/** A TCP proxy in front of a service, for making it fail on purpose. */
export interface Proxy {
  /** The service's URL through the proxy. */
  url: string
  /** Refuses new connections and resets those that are open. */
  cut(): void
  /** Keeps connections open and carries nothing: the service hangs. */
  blackHole(): void
  /** Those that are open carry nothing for now, and lose nothing: a line that is silent. New ones work. */
  hold(): void
  heal(): void
}

type Mode = 'open' | 'cut' | 'hole'

/** Stands before several nodes: each new connection goes to the address that `target` answers then. */
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

/** Stands a proxy before the service behind `url`. Closed at the test's end. */
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
  // What makes the tests' Redis patient (./services.ts): whoever loses Redis goes by the product's own deadlines.
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
      // What was swallowed is gone for good: connections that lived through a hole are reset.
      if (mode === 'hole') reset()
      mode = 'open'
    },
  }
}
