/**
 * `npm run services`: what a single test needs, kept up, so that `npx tap tests/server/posts/posts.test.ts`, `node --watch` and an
 * editor's run button work. Throw-away data; Ctrl-C ends it. Start it again after a new migration.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, say } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { inRoot } from './root.mjs'

const folder = inRoot('.data', 'test-services')

run(async () => {
  await ensureInstalled()
  const { prepareServices } = await import('./test-databases.mjs')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // PostgreSQL runs as another account when we are root and has to pass through here.
  chmodSync(folder, 0o755)
  const { environment, stop } = await prepareServices(true, folder)
  const asked = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve)
  })
  try {
    // Read by tests/support/services.ts.
    writeFileSync(join(folder, 'environment.json'), JSON.stringify(environment))
    say('Ready for tests, for example: npx tap tests/server/posts/posts.test.ts. Ctrl-C ends it.')
    await asked
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
