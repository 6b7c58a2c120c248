import { existsSync } from 'node:fs'
import { inRoot } from './root.mjs'

/** What everybody who knows the project expects at its top level. */
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

/** Names that the top level has to have and lacks. */
export async function checkLayout() {
  const missing = AGREED.filter((name) => !existsSync(inRoot(name)))
  return missing.length > 0 ? `The top level lacks ${missing.join(', ')}: keep the agreed names.` : ''
}
