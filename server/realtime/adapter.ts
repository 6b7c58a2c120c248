import {
  Adapter,
  ClusterAdapter,
  MessageType,
  type BroadcastOptions,
  type ClusterMessage,
  type ClusterResponse,
} from 'socket.io-adapter'
import type { Logger } from 'pino'
import type { RedisConnections } from '#server/platform/redis.ts'

/** A node that does not hear its own probe for this long has a deaf subscriber. */
const probeEveryMs = 5_000

export interface AdapterHooks {
  /** Redis was away and is back: other nodes' events were missed meanwhile. */
  onHeal(): void
}

type Envelope = { m: ClusterMessage } | { r: ClusterResponse; to: string } | { probe: string }

/** Sets do not travel as JSON. */
const toPlain = ({ rooms, except = new Set(), flags = {} }: BroadcastOptions) => ({
  rooms: [...rooms],
  except: [...except],
  flags,
})

/**
 * Rooms over Redis pub/sub, one channel. Unlike the stock adapters it delivers to this node's own sockets first and
 * publishes beside that, so a missing, hanging or deaf Redis costs no local delivery and rejects nowhere.
 */
export function createAdapter(redis: RedisConnections, prefix: string, log: Logger, hooks: AdapterHooks) {
  const channel = `${prefix}:io`
  return class PubSubAdapter extends ClusterAdapter {
    #heard = Date.now()
    #wasDeaf = false
    #outgoing: Envelope[] = []
    #probe: NodeJS.Timeout | undefined
    readonly #onMessage = (from: string, text: string) => {
      if (from !== channel) return
      for (const envelope of JSON.parse(text) as Envelope[]) this.#receive(envelope)
    }
    readonly #onReady = () => this.#healed()

    override async init(): Promise<void> {
      redis.subscriber.on('message', this.#onMessage)
      redis.subscriber.on('ready', this.#onReady)
      this.#probe = setInterval(() => this.#listenToSelf(), probeEveryMs)
      await redis.subscriber.subscribe(channel).catch(() => undefined)
    }

    override async close(): Promise<void> {
      clearInterval(this.#probe)
      redis.subscriber.off('message', this.#onMessage)
      redis.subscriber.off('ready', this.#onReady)
      await redis.subscriber.unsubscribe(channel).catch(() => undefined)
    }

    override async broadcast(packet: unknown, opts: BroadcastOptions): Promise<void> {
      Adapter.prototype.broadcast.call(this, packet, opts)
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
      // Fails at once while Redis is away; other nodes' clients live on the poll until the resync.
      if (redis.publisher.status !== 'ready') return
      if (this.#outgoing.length === 0) setImmediate(() => this.#flush())
      this.#outgoing.push(envelope)
    }

    /** What one turn of the event loop has to say goes out in one command: a batch of messages, a wave of outbids. */
    #flush(): void {
      const text = JSON.stringify(this.#outgoing)
      this.#outgoing = []
      redis.publisher.publish(channel, text).catch(() => undefined)
    }

    #receive(envelope: Envelope): void {
      if ('probe' in envelope) {
        if (envelope.probe !== this.uid) return
        this.#heard = Date.now()
        if (this.#wasDeaf) this.#healed()
      } else if ('r' in envelope) {
        if (envelope.to === this.uid) this.onResponse(envelope.r)
      } else this.onMessage(envelope.m)
    }

    #listenToSelf(): void {
      if (Date.now() - this.#heard > 2 * probeEveryMs && redis.subscriber.status === 'ready') {
        log.warn('the subscriber hears nothing and is reconnected')
        this.#wasDeaf = true
        this.#heard = Date.now()
        redis.subscriber.disconnect(true)
      }
      this.#send({ probe: this.uid })
    }

    #healed(): void {
      this.#wasDeaf = false
      this.#heard = Date.now()
      hooks.onHeal()
    }
  }
}
