import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { RedisConnections } from '#server/platform/redis/redis.ts'

/** A node that receives nothing for twice this time, not even its own probe, counts as disconnected. */
const probeEveryMs = 5_000

/** `missed` is true if an earlier message of this node did not reach Redis, or may not have. */
export interface Probe {
  probe: string
  missed?: boolean
}

interface ChannelMonitorEvents {
  /** Other nodes may have sent events that this node did not receive. */
  missed: []
  degraded: [degraded: boolean]
}

/** Redis may have accepted the message in time: if this process was busy, it may only have read the response late. */
const isLate = (error: unknown) => error instanceof Error && error.message === 'Command timed out'

/** Monitors a node's Redis channel to the other nodes: does the node receive messages, and were any of its own messages lost? */
export class ChannelMonitor extends EventEmitter<ChannelMonitorEvents> {
  isDegraded = false
  readonly #redis: RedisConnections
  readonly #channel: string
  readonly #node: string
  readonly #log: Logger
  #isReceiving = true
  #receivedAt = Date.now()
  #hasUnreportedLoss = false
  /** True if Redis may or may not have accepted an earlier message. */
  #isLate = false
  #timer: NodeJS.Timeout | undefined
  readonly #onSubscriberClosed = () => void (this.#isReceiving = false)
  readonly #onPublisherClosed = () => {
    this.#hasUnreportedLoss ||= this.#isLate
    this.#isLate = false
  }
  // Probe only after subscribing, because otherwise this node would not receive its own probe.
  readonly #onReady = () => void this.#redis.subscriber.subscribe(this.#channel).then(this.#probe, () => undefined)
  readonly #probe = () => {
    const missed = this.#hasUnreportedLoss
    this.#hasUnreportedLoss = false
    const probe: Probe = { probe: this.#node, ...(missed && { missed }) }
    this.#publish([probe], missed)
  }

  constructor(redis: RedisConnections, channel: string, node: string, log: Logger) {
    super()
    this.#redis = redis
    this.#channel = channel
    this.#node = node
    this.#log = log
  }

  async open(): Promise<void> {
    const { publisher, subscriber } = this.#redis
    this.#isReceiving = subscriber.status === 'ready'
    subscriber.on('close', this.#onSubscriberClosed)
    publisher.on('close', this.#onPublisherClosed)
    subscriber.on('ready', this.#onReady)
    publisher.on('ready', this.#probe)
    this.#timer = setInterval(() => this.#checkReceived(), probeEveryMs)
    await subscriber.subscribe(this.#channel).catch(() => undefined)
  }

  async close(): Promise<void> {
    const { publisher, subscriber } = this.#redis
    clearInterval(this.#timer)
    subscriber.off('close', this.#onSubscriberClosed)
    publisher.off('close', this.#onPublisherClosed)
    subscriber.off('ready', this.#onReady)
    publisher.off('ready', this.#probe)
    await subscriber.unsubscribe(this.#channel).catch(() => undefined)
  }

  markReceived(): void {
    this.#receivedAt = Date.now()
    if (this.#isReceiving) return
    this.#isReceiving = true
    this.#setDegraded(false)
    this.emit('missed')
  }

  receive({ probe, missed }: Probe): void {
    if (missed === true && probe !== this.#node) this.emit('missed')
  }

  /** If the message does not reach Redis, the next probe that does reports the loss to the other nodes. */
  publish(envelopes: readonly object[]): void {
    this.#publish(envelopes, true)
  }

  /** @param matters true if the loss of this message would make other nodes miss an event */
  #publish(envelopes: readonly object[], matters: boolean): void {
    this.#redis.publisher.publish(this.#channel, JSON.stringify(envelopes)).then(
      // Redis responds in order, so it has also accepted the earlier messages.
      () => void (this.#isLate = false),
      (error: unknown) => {
        if (isLate(error)) this.#isLate ||= matters
        else this.#hasUnreportedLoss ||= matters
      },
    )
  }

  #checkReceived(): void {
    if (Date.now() - this.#receivedAt > 2 * probeEveryMs) {
      this.#isReceiving = false
      this.#receivedAt = Date.now()
      if (this.#redis.subscriber.status === 'ready') {
        this.#log.warn('the subscriber receives nothing: reconnecting')
        this.#redis.subscriber.disconnect(true)
      }
    }
    if (!this.#isReceiving) this.#setDegraded(true)
    this.#probe()
  }

  #setDegraded(degraded: boolean): void {
    if (this.isDegraded === degraded) return
    this.isDegraded = degraded
    this.emit('degraded', degraded)
  }
}
