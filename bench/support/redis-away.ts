import { execFileSync, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'

const everyMs = 50

const connectTo = (redisUrl: string) =>
  new Redis(redisUrl, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 })

async function answers(redisUrl: string): Promise<boolean> {
  const redis = connectTo(redisUrl)
  redis.on('error', () => undefined)
  const isThere = await redis.ping().then(
    () => true,
    () => false,
  )
  redis.disconnect()
  return isThere
}

/** Stops Redis and restarts it with its data after `awayMs`. It ends with this process. */
export async function restartRedis(redisUrl: string, awayMs: number): Promise<void> {
  const redis = connectTo(redisUrl)
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
  redis.disconnect()
  const [command = '', ...args] = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
  const folder = args[args.indexOf('--dir') + 1] ?? '.'
  process.kill(pid, 'SIGTERM')
  await wait(awayMs)
  while (await answers(redisUrl)) await wait(everyMs)
  const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(`bind 127.0.0.1\nrequirepass ${new URL(redisUrl).password}\nset-proc-title no\n`)
  process.once('exit', () => child.kill('SIGTERM'))
  // Lets this process exit while Redis is still running.
  child.unref()
  while (!(await answers(redisUrl))) await wait(everyMs)
}
