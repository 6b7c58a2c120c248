import type { Logger } from 'pino'
import type { DomainEvents } from '#server/events.ts'

type Listener<N extends keyof DomainEvents> = (payload: DomainEvents[N]) => void | Promise<void>

export interface Bus {
  /** Listeners run in order of registration. An error in a listener is logged and does not affect the others. */
  on<N extends keyof DomainEvents>(name: N, listener: Listener<N>): void
  publish<N extends keyof DomainEvents>(name: N, payload: DomainEvents[N]): void
}

/** Creates an event bus within this process. Sockets and job queues carry events to other processes. */
export function createBus(log: Logger): Bus {
  const listeners = new Map<keyof DomainEvents, Listener<never>[]>()
  const failed = (name: string, error: unknown) => log.error({ err: error, event: name }, 'a listener failed')
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
