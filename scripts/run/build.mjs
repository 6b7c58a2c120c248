import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Fault, print } from '../console.mjs'
import { hashOf } from './cached-files.mjs'
import { exec } from '../programs/processes.mjs'
import { inRoot, root } from '../root.mjs'

const stamp = inRoot('dist', '.sources')
const SOURCES = [
  'client',
  'server',
  'shared',
  'package-lock.json',
  'vite.config.ts',
  'vite.server.config.ts',
  'vite.chunks.ts',
  'vite.site.ts',
  'vite.chunk-loader.ts',
  'vite.compress.ts',
  'tsconfig.base.json',
  'tsconfig.json',
]

/** One V8 worker thread, because more stall other processes on two cores (docs/measurements.md). Dockerfile has the same arguments. */
export const SERVER = ['--enable-source-maps', '--v8-pool-size=1', inRoot('dist', 'server', 'main.js')]

export async function ensureBuilt() {
  const wanted = hashOf(SOURCES)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  print('Building client and server (only when the sources changed) …')
  const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js')
  const build = (/** @type {string[]} */ ...args) =>
    exec(process.execPath, [vite, 'build', '--logLevel', 'warn', ...args], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    })
  const codes = [await build(), await build('--config', 'vite.server.config.ts')]
  if (codes.some((code) => code !== 0)) throw new Fault('The build failed; see above.')
  mkdirSync(inRoot('dist'), { recursive: true })
  writeFileSync(stamp, wanted)
}
