/** `npm run services` keeps PostgreSQL and Redis running for `npx tap FILE` and editors. Restart it after adding a migration. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, print } from '../console.mjs'
import { ensureInstalled } from './install.mjs'
import { inRoot } from '../root.mjs'

const folder = inRoot('.data', 'test-services')

run(async () => {
  await ensureInstalled()
  const { prepareServices } = await import('../programs/test-services.mjs')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // If this process is root, PostgreSQL runs as another account, which must be able to enter the folder.
  chmodSync(folder, 0o755)
  const { environment, stop } = await prepareServices(true, folder)
  const asked = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve)
  })
  try {
    writeFileSync(join(folder, 'environment.json'), JSON.stringify(environment))
    print('Ready for tests, for example: npx tap tests/server/posts/posts.test.ts. Ctrl-C ends it.')
    await asked
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
