import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { BenchEnv, BenchRow } from './bench.ts'
import { benchName, withDatabase } from './measure.ts'

const everyMs = 2_500
const pauseMs = 1_500
const nodes = 2

/** Server processes that are killed, paused and restarted. `urls` may include a paused process. */
export interface Faults {
  urls(): string[]
  /** Waits for earlier restarts and then causes the next fault. Returns the fault's name. */
  next(): Promise<string>
  settle(): Promise<void>
  close(): Promise<void>
  /** Causes faults in turn until aborted. Returns how often each fault occurred. */
  run(signal: AbortSignal): Promise<Record<string, number>>
}

async function cutDatabase({ databaseUrl }: BenchEnv): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> $1 and backend_type = 'client backend'`,
      [benchName],
    )
  })
}

async function cutRedis({ redisUrl }: BenchEnv): Promise<void> {
  const redis = new Redis(redisUrl)
  for (const type of ['normal', 'pubsub']) await redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')
  redis.disconnect()
}

export async function startFaults(env: BenchEnv): Promise<Faults> {
  const running = await Promise.all(Array.from({ length: nodes }, () => env.startNode()))
  const restarts: Promise<void>[] = []
  let turn = 0
  const victim = () => running[turn++ % running.length]
  const faults: Record<string, () => Promise<void> | void> = {
    'kill -9': () => {
      const node = victim()
      if (node === undefined) return
      process.kill(node.pid, 'SIGKILL')
      running.splice(running.indexOf(node), 1)
      restarts.push(env.startNode().then((next) => void running.push(next)))
    },
    'stopped 1.5 s': async () => {
      const node = victim()
      if (node === undefined) return
      process.kill(node.pid, 'SIGSTOP')
      await wait(pauseMs)
      process.kill(node.pid, 'SIGCONT')
    },
    'PostgreSQL connections cut': () => cutDatabase(env),
    'Redis connections cut': () => cutRedis(env),
  }
  let done = 0
  const settle = async () => void (await Promise.all(restarts))
  const next = async () => {
    await settle()
    const all = Object.entries(faults)
    const [name, act] = all[done++ % all.length] ?? []
    await act?.()
    return name ?? ''
  }
  return {
    urls: () => running.map(({ url }) => url),
    next,
    settle,
    async close() {
      await settle()
      await Promise.all(running.map((node) => node.stop()))
    },
    async run(signal) {
      const counted: Record<string, number> = {}
      while (!signal.aborted) {
        const name = await next()
        counted[name] = (counted[name] ?? 0) + 1
        await wait(everyMs)
      }
      await settle()
      return counted
    },
  }
}

export function countedFaults(done: Record<string, number>, seconds: number): BenchRow {
  const all = Object.entries(done)
  return {
    what: `faults in ${Math.round(seconds)} s: ${all.map(([fault, times]) => `${fault} ${times}×`).join(', ')}`,
    counted: all.reduce((sum, [, times]) => sum + times, 0),
    wrong: '',
  }
}
