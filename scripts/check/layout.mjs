import { existsSync } from 'node:fs'
import { inRoot } from '../root.mjs'

const AGREED = [
  'package.json',
  'client',
  'server',
  'shared',
  'redis.conf',
  'compose.yaml',
  'tests',
  'tsconfig.base.json',
]

export async function checkLayout() {
  const missing = AGREED.filter((name) => !existsSync(inRoot(name)))
  return missing.length > 0 ? `The top level lacks ${missing.join(', ')}: keep the agreed names.` : ''
}
