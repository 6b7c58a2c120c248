import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import type { TestServices } from './services.ts'

/** Another node of the same system in a process of its own, so that it can be killed. */
export async function startChildNode(
  t: Test,
  services: TestServices,
): Promise<{ url: string; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join('server', 'main.ts')], {
    env: {
      ...process.env,
      ...services,
      NODE_ENV: 'test',
      PORT: '0',
      DEMO: 'on',
      DEMO_SEED: 'off',
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      DATA_DIR: `.data/test/${services.REDIS_PREFIX}-child`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(kill)
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /ready at (http\S+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found.replace(/\/$/, ''))
    })
    ended.then(([code]) => reject(new Error(`the node ended with ${code} before it was ready`)), reject)
  })
  return { url, kill }
}
