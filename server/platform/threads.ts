import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename, extname } from 'node:path'
import { parentPort, Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /** What a thread runs: it hands its work to `serveThread`. */
  program: URL
  /** In this process at the same time. */
  atOnce: number
  /** Whoever comes when so many wait for their turn is refused. */
  waitingMax: number
  /** Counted from the moment it has its order; then it is ended, whatever it is at. */
  deadlineMs: number
  /** Of the thread's own heap. What it holds in buffers is not counted: its program has to bound that itself. */
  heapMaxMb: number
}

export interface Threads<Order, Answer> {
  /**
   * Has a thread of its own work on the order. `patient` waits behind everybody else, however many they are.
   * @throws ThreadsBusy, ThreadEnded, or what the program threw
   */
  run(order: Order, options?: { patient?: boolean }): Promise<Answer>
}

/** Too many wait already. */
export class ThreadsBusy extends Error {}

/** The thread was ended because it took more than it may. */
export class ThreadEnded extends Error {
  readonly tookTooMuch: 'time' | 'memory'
  constructor(tookTooMuch: 'time' | 'memory') {
    super(`the thread took too much ${tookTooMuch}`)
    this.tookTooMuch = tookTooMuch
  }
}

/** The program's side of a thread: works on the one order it gets. What it throws is thrown where the order came from. */
export function serveThread(work: (order: never) => Promise<unknown>): void {
  // A refusal nobody handles ends the thread, which is how the other side hears of it.
  parentPort?.once('message', (order) => void work(order as never).then((answer) => parentPort?.postMessage(answer)))
  parentPort?.postMessage('ready')
}

/** What a thread that stays is called for, by name; each takes one value. */
type Calls = Record<string, (value: never) => unknown>

/** Of 19: where both want a processor, a thread with it has a third of what one of the usual kind has. */
const niceness = 5

/**
 * Has this thread make way for the others, however long it works: a message or a bid is passed on first. Linux gives each thread a priority
 * of its own (sched(7)); elsewhere it keeps the usual one.
 */
export function makeWay(): void {
  if (process.platform !== 'linux') return
  try {
    // A process that is nicer already keeps its own priority: root would raise it.
    if (getPriority() < niceness) setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // A Linux without /proc does not tell which thread this is: nothing else depends on it.
  }
}

/** The program's side of a thread that stays: begins with one call after the other. */
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
  /** @throws what the program threw, or why the thread has ended */
  call<Name extends keyof C & string>(name: Name, value: Parameters<C[Name]>[0]): Promise<Awaited<ReturnType<C[Name]>>>
  /** Who waits for an answer is told at once that there will be none. */
  close(): void
}

interface Answered {
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

/**
 * A thread that holds something between its calls; its program hands them to `serveCalls`. It keeps a process from its end only
 * while somebody waits for an answer.
 * @param onEnd called once it has ended, whatever ended it
 */
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
  // After the listeners: to listen to a thread holds the process, too.
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

/** A program's file: beside the server's entry where that is built, beside the module that starts it elsewhere. */
export function programBeside(module: string, name: string): URL {
  const built = module.replace(/\/dist\/server\/(chunks\/)?[^/]+$/, `/dist/server/${name}.js`)
  return new URL(built === module ? name + extname(module) : built, module)
}

/** tsx compiles for the main thread alone (privatenumber/tsx#354): run from the sources, a thread has to ask for it. */
function entryOf(program: URL): URL {
  if (!program.pathname.endsWith('.ts')) return program
  const tsx = import.meta.resolve('tsx/esm/api')
  const code = `import { register } from '${tsx}'; register(); await import('${program.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

/**
 * Work on what strangers send, apart from the thread that answers everybody: a file made to be slow costs that file's
 * sender its deadline, and nobody else an answer.
 */
export function createThreads<Order, Answer>(options: ThreadOptions): Threads<Order, Answer> {
  let running = 0
  const waiting: (() => void)[] = []
  const patient: (() => void)[] = []

  /** The place goes to whoever is next. */
  function leave(): void {
    const next = waiting.shift() ?? patient.shift()
    if (next === undefined) running--
    else next()
  }

  async function enter(isPatient: boolean): Promise<void> {
    if (running < options.atOnce) {
      running++
      return
    }
    if (!isPatient && waiting.length >= options.waitingMax) throw new ThreadsBusy('too many wait for a thread')
    await new Promise<void>((resolve) => (isPatient ? patient : waiting).push(resolve))
  }

  function start(): Worker {
    try {
      return new Worker(entryOf(options.program), { resourceLimits: { maxOldGenerationSizeMb: options.heapMaxMb } })
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    async run(order, { patient: isPatient = false } = {}) {
      await enter(isPatient)
      const worker = start()
      return new Promise((resolve, reject) => {
        let overdue: NodeJS.Timeout | undefined
        // It has loaded: how long it takes from here is up to the order.
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
          leave()
          reject(new Error('the thread ended without an answer'))
        })
      })
    },
  }
}
