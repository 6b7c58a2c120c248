import { exitWith, loadConfig } from './config.ts'
import { StartFault } from './errors.ts'
import { makeAdmin } from './features/auth/make-admin.service.ts'
import { createLogger } from './platform/log.ts'

/** `npm run admin -- EMAIL`, and the same beside running servers: `node dist/server/admin.js EMAIL`. */
async function main(): Promise<void> {
  const [email, ...more] = process.argv.slice(2)
  if (email === undefined || more.length > 0) throw new StartFault('Say who, by one email address, and nothing else')
  const config = loadConfig()
  process.stdout.write(`${await makeAdmin(config, createLogger(config), email)}\n`)
}

main().catch(exitWith)
