import type { Logger } from 'pino'
import type { Facts } from '#server/facts.ts'

type Listener<N extends keyof Facts> = (payload: Facts[N]) => void | Promise<void>

export interface Bus {
  /** Listeners run in the order they were registered; one that fails is logged and harms nobody else. */
  on<N extends keyof Facts>(name: N, listener: Listener<N>): void
  publish<N extends keyof Facts>(name: N, payload: Facts[N]): void
}

/** In-process only. What leaves the process goes through sockets or the queue. */
export function createBus(log: Logger): Bus {
  const listeners = new Map<keyof Facts, Listener<never>[]>()
  const failed = (name: string, error: unknown) => log.error({ err: error, fact: name }, 'a listener failed')
  return {
    on(name, listener) {
      const known = listeners.get(name) ?? []
      listeners.set(name, [...known, listener])
    },
    publish(name, payload) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          const result = (listener as Listener<typeof name>)(payload)
          if (result instanceof Promise) result.catch((error: unknown) => failed(name, error))
        } catch (error) {
          failed(name, error)
        }
      }
    },
  }
}
