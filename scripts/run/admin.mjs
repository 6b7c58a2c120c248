/** `npm run admin -- EMAIL` creates an admin or promotes a dealer. `npm run admin -- --test-mail EMAIL` tests SMTP_URL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBuilt } from './build.mjs'
import { Fault, run } from '../console.mjs'
import { ensureInstalled } from './install.mjs'
import { runningPostgres } from '../programs/postgres.mjs'
import { inRoot, root } from '../root.mjs'
import { startServices } from '../programs/services.mjs'
import { claimFolder, dataFolder, productAddress, sessionSecret } from './claim-folder.mjs'

async function openDatabase() {
  const url = process.env['DATABASE_URL'] || runningPostgres(dataFolder)
  if (url) return { url, close: async () => undefined }
  const release = claimFolder()
  const services = await startServices({ folder: dataFolder })
  const close = async () => {
    await services.stop()
    release()
  }
  return { url: services.databaseUrl, close }
}

/** Sending a test email needs no database, but the configuration requires DATABASE_URL. */
const noDatabase = async () => ({ url: 'postgres://127.0.0.1/none', close: async () => undefined })

run(async () => {
  const args = process.argv.slice(2)
  const isTest = args[0] === '--test-mail'
  if (args.length !== (isTest ? 2 : 1))
    throw new Fault('Say who: npm run admin -- you@your-dealership.example (after --test-mail for a test mail)')
  await ensureInstalled()
  await ensureBuilt()
  const { url, close } = await (isTest ? noDatabase() : openDatabase())
  try {
    const own = { DATABASE_URL: url, SESSION_SECRET: sessionSecret(), PUBLIC_URL: productAddress() }
    const server = spawn(process.execPath, ['--enable-source-maps', inRoot('dist', 'server', 'admin.js'), ...args], {
      cwd: root,
      env: { REDIS_URL: 'redis://127.0.0.1', ...process.env, ...own },
      stdio: 'inherit',
    })
    const [code] = await once(server, 'exit')
    return code ?? 1
  } finally {
    await close()
  }
})
