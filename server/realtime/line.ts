import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { RedisConnections } from '#server/platform/redis.ts'

/** Each node speaks this often: one that hears nobody for twice as long, not even itself, is deaf. */
const probeEveryMs = 5_000

/** `missed`: something that this node said before was not taken by Redis. An older version hears a probe only. */
export interface Probe {
  probe: string
  missed?: boolean
}

interface LineEvents {
  /** Events of other nodes were missed here: this node did not hear them, or they could not say them. It is over now. */
  missed: []
  /** This node hears the others no more, or again. */
  degraded: [degraded: boolean]
}

/** The line of a node to the others, through one channel of Redis: whether it hears them, and what was lost on it. */
export class Line extends EventEmitter<LineEvents> {
  isDegraded = false
  readonly #redis: RedisConnections
  readonly #channel: string
  readonly #node: string
  readonly #log: Logger
  #hears = true
  #heardAt = Date.now()
  /** Something was not taken by Redis, and no probe has said so yet. */
  #owesNews = false
  #watch: NodeJS.Timeout | undefined
  readonly #onClose = () => void (this.#hears = false)
  // Only once the subscription stands is there somebody to hear it.
  readonly #onReady = () => void this.#redis.subscriber.subscribe(this.#channel).then(this.#probe, () => undefined)
  readonly #probe = () => {
    const missed = this.#owesNews
    this.#owesNews = false
    const probe: Probe = { probe: this.#node, ...(missed && { missed }) }
    this.#redis.publisher.publish(this.#channel, JSON.stringify([probe])).catch(() => void (this.#owesNews ||= missed))
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
    this.#hears = subscriber.status === 'ready'
    subscriber.on('close', this.#onClose)
    subscriber.on('ready', this.#onReady)
    publisher.on('ready', this.#probe)
    this.#watch = setInterval(() => this.#listen(), probeEveryMs)
    await subscriber.subscribe(this.#channel).catch(() => undefined)
  }

  async close(): Promise<void> {
    const { publisher, subscriber } = this.#redis
    clearInterval(this.#watch)
    subscriber.off('close', this.#onClose)
    subscriber.off('ready', this.#onReady)
    publisher.off('ready', this.#probe)
    await subscriber.unsubscribe(this.#channel).catch(() => undefined)
  }

  /** Something came, of whichever node. */
  hear(): void {
    this.#heardAt = Date.now()
    if (this.#hears) return
    this.#hears = true
    this.#setDegraded(false)
    this.emit('missed')
  }

  receive({ probe, missed }: Probe): void {
    if (missed === true && probe !== this.#node) this.emit('missed')
  }

  /** Redis did not take something: the others are told with the next probe that it takes. */
  lose(): void {
    this.#owesNews = true
  }

  #listen(): void {
    if (Date.now() - this.#heardAt > 2 * probeEveryMs) {
      this.#hears = false
      this.#heardAt = Date.now()
      if (this.#redis.subscriber.status === 'ready') {
        this.#log.warn('the subscriber hears nothing and is reconnected')
        this.#redis.subscriber.disconnect(true)
      }
    }
    if (!this.#hears) this.#setDegraded(true)
    this.#probe()
  }

  #setDegraded(degraded: boolean): void {
    if (this.isDegraded === degraded) return
    this.isDegraded = degraded
    this.emit('degraded', degraded)
  }
}
