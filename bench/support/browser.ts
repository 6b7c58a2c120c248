import { type Browser, chromium } from 'playwright-core'
import type { BenchEnv } from './bench.ts'

export async function openBrowser(env: Pick<BenchEnv, 'chromium'>): Promise<Browser> {
  const { path, env: browserEnv } = env.chromium()
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...browserEnv },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
}
