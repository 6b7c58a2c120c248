import { exitWith, loadConfig } from './config/config.ts'
import { StartFault } from './errors.ts'
import { tryMail } from './features/admin/test-mail.service.ts'
import { makeAdmin } from './features/auth/make-admin.service.ts'
import { createLogger } from './platform/process/log.ts'

/** Makes an account an admin: `npm run admin -- EMAIL` or `node dist/server/admin.js EMAIL`. `--test-mail EMAIL` sends a test email. */
async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const isTest = args[0] === '--test-mail'
  const [email, ...more] = isTest ? args.slice(1) : args
  if (email === undefined || more.length > 0) throw new StartFault('Pass exactly one email address')
  const config = loadConfig()
  process.stdout.write(`${await (isTest ? tryMail(config, email) : makeAdmin(config, createLogger(config), email))}\n`)
}

main().catch(exitWith)
