import { createServer, request } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** A simulated push service that accepts every push immediately, except for devices that hang. */
export interface PushStandin {
  /** The host and port, for FETCH_PRIVATE_HOSTS. */
  host: string
  endpointOf(device: string): string
  /** Replaces the listener. It is called with the device of each accepted push and the Unix time in ms. */
  onPush(listener: (device: string, at: number) => void): void
  hang(devices: readonly string[]): void
}

const created = 201
const folder = '/send/'

export async function startPushStandin(): Promise<PushStandin> {
  const hanging = new Set<string>()
  let listen: (device: string, at: number) => void = () => undefined
  const server = createServer((incoming, response) => {
    const device = (incoming.url ?? '').slice(folder.length)
    incoming.resume().on('end', () => {
      if (hanging.has(device)) return
      listen(device, Date.now())
      response.writeHead(created).end()
    })
  }).listen(0, '127.0.0.1')
  server.unref()
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    endpointOf: (device) => `http://${host}${folder}${device}`,
    onPush: (listener) => void (listen = listener),
    hang: (devices) => devices.forEach((device) => hanging.add(device)),
  }
}

export function sendDirectly(endpoint: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(endpoint, { method: 'POST', headers: { 'content-encoding': 'aes128gcm' } }, (answer) => {
      answer.resume().on('end', resolve)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
