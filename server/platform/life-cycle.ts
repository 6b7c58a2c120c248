import type { Logger } from 'pino'

type Close = () => Promise<void> | void

/** What a process has started, and how it ends. */
export interface LifeCycle {
  /** Whether the end has begun: nothing new is taken on. */
  readonly ending: boolean
  /** Ended in the reverse order of starting. `what` is what the log says a late end waited for. */
  started(what: string, close: Close): void
  /** Said twice, it is done once. Ends the process where the grace is not enough. */
  stop(why: string): Promise<void>
}

export function createLifeCycle(log: Logger, graceMs: number): LifeCycle {
  const closers: [what: string, close: Close][] = []
  let stopped: Promise<void> | undefined

  async function end(why: string): Promise<void> {
    log.info({ why }, 'stopping')
    let waitingFor = ''
    const timer = setTimeout(() => {
      log.fatal({ graceMs, waitingFor }, 'not stopped in time: ends with work under way')
      process.exit(1)
    }, graceMs)
    timer.unref()
    for (const [what, close] of closers.toReversed()) {
      waitingFor = what
      await close()
    }
    clearTimeout(timer)
  }

  return {
    get ending() {
      return stopped !== undefined
    },
    started: (what, close) => void closers.push([what, close]),
    stop: (why) => (stopped ??= end(why)),
  }
}
