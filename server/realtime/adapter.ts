import { MessageType, type BroadcastOptions, type ClusterMessage, type ClusterResponse } from 'socket.io-adapter'
import type { Logger } from 'pino'
import type { Metrics } from '#server/platform/metrics.ts'
import type { RedisConnections } from '#server/platform/redis.ts'
import { Line, type Probe } from './line.ts'
import type { LiveServer } from './live-server.ts'
import { type Packet, PacedAdapter } from './paced-adapter.ts'
import type { Merges } from './room-pace.ts'

type Envelope = { m: ClusterMessage } | { r: ClusterResponse; to: string } | Probe

/** The line from a node to the others. */
export const lineOf = (io: LiveServer): Line => (io.of('/').adapter as unknown as { line: Line }).line

export interface AdapterParts {
  /** Channels of this installation begin with it. */
  prefix: string
  log: Logger
  merges: Merges
  deliveries: Metrics['deliveries']
}

/** Sets do not travel as JSON. */
const toPlain = ({ rooms, except = new Set(), flags = {} }: BroadcastOptions) => ({
  rooms: [...rooms],
  except: [...except],
  flags,
})

/**
 * Rooms over Redis pub/sub, one channel. Unlike the stock adapters it delivers to this node's own sockets first and
 * publishes beside that, so a missing, hanging or deaf Redis costs no local delivery and rejects nowhere. What is not
 * heard or not said meanwhile is gone: its {@link Line} tells of it.
 */
export function createAdapter(redis: RedisConnections, { prefix, log, merges, deliveries }: AdapterParts) {
  const channel = `${prefix}:io`
  return class PubSubAdapter extends PacedAdapter {
    readonly line: Line
    #outgoing: Envelope[] = []

    constructor(nsp: unknown) {
      super(nsp, merges, deliveries)
      this.line = new Line(redis, channel, this.uid, log)
    }

    readonly #onMessage = (from: string, text: string) => {
      if (from !== channel) return
      this.line.hear()
      for (const envelope of JSON.parse(text) as Envelope[]) this.#receive(envelope)
    }

    override async init(): Promise<void> {
      redis.subscriber.on('message', this.#onMessage)
      await this.line.open()
    }

    override async close(): Promise<void> {
      redis.subscriber.off('message', this.#onMessage)
      await this.line.close()
    }

    override async broadcast(packet: Packet, opts: BroadcastOptions): Promise<void> {
      this.tell(packet, opts)
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

    /** What one turn of the event loop has to say goes out in one command: a batch of messages, a wave of outbids. */
    #flush(): void {
      this.line.say(this.#outgoing)
      this.#outgoing = []
    }

    #receive(envelope: Envelope): void {
      if ('probe' in envelope) this.line.receive(envelope)
      else if ('r' in envelope) {
        if (envelope.to === this.uid) this.onResponse(envelope.r)
      } else this.onMessage(envelope.m)
    }
  }
}
