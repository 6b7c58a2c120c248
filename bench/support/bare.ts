import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Bare {
  url: string
  pid: number
  say(message: object, as?: string): void
  cpu(): Record<string, number>
  stop(): Promise<void>
}

/** Starts the control: a process that runs only Socket.IO, with our settings. If `redisUrl` is given, it publishes through Redis. */
export async function startBareServer(redisUrl?: string): Promise<Bare> {
  const args = redisUrl === undefined ? [] : [redisUrl]
  const child = fork(fileURLToPath(new URL('bare-server.mjs', import.meta.url)), args, { execArgv: [] })
  let used = 0
  child.on('message', ({ cpu }: { cpu?: number }) => (used = cpu ?? used))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    say: (message, as) => void child.send({ say: message, as }),
    cpu: () => ({ server: used }),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
