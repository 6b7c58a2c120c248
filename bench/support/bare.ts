import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Bare {
  url: string
  /** To every socket that is connected. */
  say(message: object): void
  /** Seconds of processor time the server has used. */
  cpu(): Record<string, number>
  stop(): Promise<void>
}

/** The control: Socket.IO alone in a process of its own, with our transport settings and one room. */
export async function startBareServer(): Promise<Bare> {
  const child = fork(fileURLToPath(new URL('bare-server.mjs', import.meta.url)), { execArgv: [] })
  let used = 0
  child.on('message', ({ cpu }: { cpu?: number }) => (used = cpu ?? used))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    say: (message) => void child.send({ say: message }),
    cpu: () => ({ server: used }),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
