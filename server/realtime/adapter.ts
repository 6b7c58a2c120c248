import { MessageType, type BroadcastOptions, type ClusterMessage, type ClusterResponse } from 'socket.io-adapter'
import type { Logger } from 'pino'
import type { Metrics } from '#server/platform/process/metrics.ts'
import type { RedisConnections } from '#server/platform/redis/redis.ts'
import { ChannelMonitor, type Probe } from './channel-monitor.ts'
import type { LiveServer } from './live-server.ts'
import { type Packet, PacedAdapter } from './throttling-adapter.ts'
import type { Merges } from './room-throttle.ts'

type Envelope = { m: ClusterMessage } | { r: ClusterResponse; to: string } | Probe

export const monitorOf = (io: LiveServer): ChannelMonitor =>
  (io.of('/').adapter as unknown as { monitor: ChannelMonitor }).monitor

export interface AdapterParts {
  prefix: string
  log: Logger
  merges: Merges
  deliveries: Metrics['deliveries']
}

const toPlain = ({ rooms, except = new Set(), flags = {} }: BroadcastOptions) => ({
  rooms: [...rooms],
  except: [...except],
  flags,
})

/**
 * Connects nodes through a Redis pub/sub channel. Unlike the stock adapters, it delivers to this node's sockets before it publishes, so
 * a Redis outage neither delays this delivery nor makes a call fail.
 */
export function createAdapter(redis: RedisConnections, { prefix, log, merges, deliveries }: AdapterParts) {
  const channel = `${prefix}:io`
  return class PubSubAdapter extends PacedAdapter {
    readonly monitor: ChannelMonitor
    #outgoing: Envelope[] = []

    constructor(nsp: unknown) {
      super(nsp, merges, deliveries)
      this.monitor = new ChannelMonitor(redis, channel, this.uid, log)
    }

    readonly #onMessage = (from: string, text: string) => {
      if (from !== channel) return
      this.monitor.markReceived()
      for (const envelope of JSON.parse(text) as Envelope[]) this.#receive(envelope)
    }

    override async init(): Promise<void> {
      redis.subscriber.on('message', this.#onMessage)
      await this.monitor.open()
    }

    override async close(): Promise<void> {
      redis.subscriber.off('message', this.#onMessage)
      await this.monitor.close()
    }

    override async broadcast(packet: Packet, opts: BroadcastOptions): Promise<void> {
      this.deliverLocally(packet, opts)
      if (opts.flags?.local === true) return
      const nsp = (this.nsp as { name: string }).name
      const data = { packet, opts: toPlain(opts) }
      this.#send({ m: { uid: this.uid, nsp, type: MessageType.BROADCAST, data } as ClusterMessage })
    }

    override async doPublish(message: ClusterMessage): Promise<string> {
      this.#send({ m: message })
      return ''
    }

    override async doPublishResponse(to: string, response: ClusterResponse): Promise<void> {
      this.#send({ r: response, to })
    }

    #send(envelope: Envelope): void {
      if (this.#outgoing.length === 0) setImmediate(() => this.#flush())
      this.#outgoing.push(envelope)
    }

    #flush(): void {
      this.monitor.publish(this.#outgoing)
      this.#outgoing = []
    }

    #receive(envelope: Envelope): void {
      if ('probe' in envelope) this.monitor.receive(envelope)
      else if ('r' in envelope) {
        if (envelope.to === this.uid) this.onResponse(envelope.r)
      } else this.onMessage(envelope.m)
    }
  }
}
