import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename, extname } from 'node:path'
import { parentPort, Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /** The code that the threads run. It must call `serveThread`. */
  program: URL
  atOnce: number
  waitingMax: number
  /** Time limit for an order, from when the thread receives it. A thread that takes longer is terminated. */
  deadlineMs: number
  /** Maximum heap of a thread. Buffers do not count, so the program has to limit their size itself. */
  heapMaxMb: number
}

export interface Threads<Order, Answer> {
  /** `patient` orders wait behind all others. @throws ThreadsBusy if too many orders wait, ThreadEnded, or the error in the worker */
  run(order: Order, options?: { isBackground?: boolean }): Promise<Answer>
}

export class ThreadsBusy extends Error {}

export class ThreadEnded extends Error {
  readonly tookTooMuch: 'time' | 'memory'
  constructor(tookTooMuch: 'time' | 'memory') {
    super(`the thread took too much ${tookTooMuch}`)
    this.tookTooMuch = tookTooMuch
  }
}

export function serveThread(work: (order: never) => Promise<unknown>): void {
  // Do not catch errors here: an unhandled rejection ends the thread and passes the error to the main thread.
  parentPort?.once('message', (order) => void work(order as never).then((answer) => parentPort?.postMessage(answer)))
  parentPort?.postMessage('ready')
}

/** The functions that a long-lived thread offers, by name. */
type Calls = Record<string, (value: never) => unknown>

/** Nice value, at most 19. When the CPU is busy, 5 gives the thread a third of a normal thread's CPU time. */
const niceness = 5

/** Gives this thread a lower priority than the threads that handle messages and bids. Only Linux has a priority per thread (sched(7)). */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // Keep a priority that is already lower, because a process that runs as root would raise it here.
    if (getPriority() < niceness) setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // Without /proc, the thread id is unknown, so the priority stays unchanged.
  }
}

export function serveCalls(calls: Calls): void {
  const answer = async (id: number, name: string, value: never) => {
    try {
      parentPort?.postMessage({ id, answer: await calls[name]?.(value) })
    } catch (error) {
      parentPort?.postMessage({ id, error })
    }
  }
  parentPort?.on('message', ({ id, name, value }: { id: number; name: string; value: never }) => {
    void answer(id, name, value)
  })
}

export interface LastingThread<C extends Calls> {
  /** Rejects with the error that the call threw in the worker, or with the error that ended the thread. */
  call<Name extends keyof C & string>(name: Name, value: Parameters<C[Name]>[0]): Promise<Awaited<ReturnType<C[Name]>>>
  close(): void
}

interface Answered {
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

/** Starts a thread that keeps state between calls. Its program must call `serveCalls`. @param onEnd called when the thread ends */
export function openThread<C extends Calls>(program: URL, onEnd?: () => void): LastingThread<C> {
  const worker = new Worker(entryOf(program))
  const waiting = new Map<number, Answered>()
  let calls = 0
  let ended: Error | undefined
  const end = (error: Error) => {
    if (ended === undefined) onEnd?.()
    ended ??= error
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  worker.on('message', ({ id, answer, error }: { id: number; answer: never; error?: Error }) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    if (error === undefined) one?.resolve(answer)
    else one?.reject(error)
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the thread has ended')))
  // Call `unref` after adding the listeners, because adding a message listener undoes it.
  worker.unref()
  return {
    async call(name, value) {
      if (ended !== undefined) throw ended
      const id = calls++
      return new Promise<never>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.ref()
        worker.postMessage({ id, name, value })
      })
    },
    close() {
      end(new Error('the thread has ended'))
      void worker.terminate()
    },
  }
}

/** Returns the URL of a worker program. A build has it next to the server's entry point; otherwise it is next to `module`. */
export function programBeside(module: string, name: string): URL {
  const built = module.replace(/\/dist\/server\/(chunks\/)?[^/]+$/, `/dist/server/${name}.js`)
  return new URL(built === module ? name + extname(module) : built, module)
}

/** tsx compiles only in the main thread (privatenumber/tsx#354), so a thread that runs from source registers tsx itself. */
function entryOf(program: URL): URL {
  if (!program.pathname.endsWith('.ts')) return program
  const tsx = import.meta.resolve('tsx/esm/api')
  const code = `import { register } from '${tsx}'; register(); await import('${program.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** Runs each order in its own thread, because orders are untrusted. A malicious file can use up only its own time and heap limits. */
export function createThreads<Order, Answer>(options: ThreadOptions): Threads<Order, Answer> {
  let running = 0
  const waiting: (() => void)[] = []
  const background: (() => void)[] = []

  function finish(): void {
    const next = waiting.shift() ?? background.shift()
    if (next === undefined) running--
    else next()
  }

  async function enter(isBackground: boolean): Promise<void> {
    if (running < options.atOnce) {
      running++
      return
    }
    if (!isBackground && waiting.length >= options.waitingMax) throw new ThreadsBusy('too many wait for a thread')
    await new Promise<void>((resolve) => (isBackground ? background : waiting).push(resolve))
  }

  function start(): Worker {
    try {
      return new Worker(entryOf(options.program), { resourceLimits: { maxOldGenerationSizeMb: options.heapMaxMb } })
    } catch (error) {
      finish()
      throw error
    }
  }

  return {
    async run(order, { isBackground = false } = {}) {
      await enter(isBackground)
      const worker = start()
      return new Promise((resolve, reject) => {
        let overdue: NodeJS.Timeout | undefined
        // The time limit starts now, because the thread has loaded its program.
        worker.once('message', () => {
          overdue = setTimeout(() => {
            reject(new ThreadEnded('time'))
            void worker.terminate()
          }, options.deadlineMs)
          worker.once('message', (answer: Answer) => {
            resolve(answer)
            void worker.terminate()
          })
          worker.postMessage(order)
        })
        worker.once('error', (error: Error & { code?: string }) =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded('memory') : error),
        )
        worker.once('exit', () => {
          clearTimeout(overdue)
          finish()
          reject(new Error('the thread ended without an answer'))
        })
      })
    },
  }
}
