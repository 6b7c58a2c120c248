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

/** A busy process, too, reads an answer late. */
const isLate = (error: unknown) => error instanceof Error && error.message === 'Command timed out'

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
  /** Redis has not answered in time: it may have taken what was said, or be gone. */
  #isLate = false
  #watch: NodeJS.Timeout | undefined
  readonly #onDeaf = () => void (this.#hears = false)
  readonly #onMute = () => {
    this.#owesNews ||= this.#isLate
    this.#isLate = false
  }
  // Only once the subscription stands is there somebody to hear it.
  readonly #onReady = () => void this.#redis.subscriber.subscribe(this.#channel).then(this.#probe, () => undefined)
  readonly #probe = () => {
    const missed = this.#owesNews
    this.#owesNews = false
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
    this.#hears = subscriber.status === 'ready'
    subscriber.on('close', this.#onDeaf)
    publisher.on('close', this.#onMute)
    subscriber.on('ready', this.#onReady)
    publisher.on('ready', this.#probe)
    this.#watch = setInterval(() => this.#listen(), probeEveryMs)
    await subscriber.subscribe(this.#channel).catch(() => undefined)
  }

  async close(): Promise<void> {
    const { publisher, subscriber } = this.#redis
    clearInterval(this.#watch)
    subscriber.off('close', this.#onDeaf)
    publisher.off('close', this.#onMute)
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

  /** To every node. What Redis does not take the others are told of with the next probe that it takes. */
  say(envelopes: readonly object[]): void {
    this.#publish(envelopes, true)
  }

  /** @param matters whether the others miss something without it */
  #publish(envelopes: readonly object[], matters: boolean): void {
    this.#redis.publisher.publish(this.#channel, JSON.stringify(envelopes)).then(
      // It answers in order: what it was late with before, it has taken.
      () => void (this.#isLate = false),
      (error: unknown) => {
        if (isLate(error)) this.#isLate ||= matters
        else this.#owesNews ||= matters
      },
    )
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
