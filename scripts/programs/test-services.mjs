import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureBuilt } from '../run/build.mjs'
import { findChromium } from './chromium.mjs'
import { hashOf, keepFolder } from '../run/cached-files.mjs'
import { clusterFolder } from './postgres.mjs'
import { isAlive } from './processes.mjs'
import { inRoot } from '../root.mjs'
import { startServices } from './services.mjs'
import { makeDemoTemplate, makeTemplate } from './database-templates.mjs'

const MEMORY = '/dev/shm'
const enoughBytes = 4 * 1024 ** 3
const KEPT = inRoot('.data', 'test-databases')
const keptMax = 4

/** Creates a folder, in memory if 4 GiB are free, because each test file clones hundreds of files. Removes folders of killed runs. */
function makeScratch() {
  const room = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 }
  const base = Math.min(room.bavail * room.bsize, freemem()) < enoughBytes ? tmpdir() : MEMORY
  for (const name of readdirSync(base)) {
    const [, owner] = /^lanewire-test-(\d+)-/.exec(name) ?? []
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(base, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(base, `lanewire-test-${process.pid}-`))
  // If this process is root, PostgreSQL runs as another account, which must be able to enter the folder.
  chmodSync(folder, 0o755)
  return folder
}

/** Replaces `to` with a copy of `from`. Keeps owners and times. @param {string} from @param {string} to */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  rmSync(to, { recursive: true, force: true })
  execFileSync('cp', ['-a', from, to])
}

/** Fills the folder with databases from the cache, or creates and caches them. @param {string} folder @param {boolean} browser */
async function fill(folder, browser) {
  if (process.env['DATABASE_URL'] !== undefined) return makeTemplates(folder, browser)
  const sources = ['server', 'shared', 'package-lock.json', ...(browser ? ['client'] : [])]
  const kept = join(KEPT, `${browser ? 'demo' : 'empty'}-${hashOf(sources)}`)
  const parts = Object.entries({
    postgres: clusterFolder(folder),
    ...(browser && { demo: join(folder, 'demo') }),
  })
  let isKept = true
  await keepFolder(kept, keptMax, async (fresh) => {
    isKept = false
    await makeTemplates(folder, browser)
    for (const [name, place] of parts) copy(place, join(fresh, name))
  })
  if (isKept) for (const [name, place] of parts) copy(join(kept, name), place)
}

/** Starts PostgreSQL and Redis for tests. `browser` adds the demo network and Chromium. @param {boolean} browser @param {string} folder */
export async function prepareServices(browser, folder = makeScratch()) {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    if (browser) await ensureBuilt()
    await fill(folder, browser)
    const services = await startServices({ folder, throwAway: true })
    const { path, env } = browser ? findChromium() : { path: '', env: {} }
    const stop = async () => {
      await services.stop()
      remove()
    }
    /** @type {Record<string, string>} */
    const environment = {
      TEST_DATABASE_URL: services.databaseUrl,
      TEST_TEMPLATE: 'template_empty',
      TEST_REDIS_URL: services.redisUrl,
      TEST_DATA_DIR: folder,
      ...(browser && { TEST_DEMO_TEMPLATE: 'template_demo', CHROMIUM_PATH: path, CHROMIUM_ENV: JSON.stringify(env) }),
    }
    return { environment, stop }
  } catch (error) {
    remove()
    throw error
  }
}

/** @param {string} folder @param {boolean} browser */
async function makeTemplates(folder, browser) {
  const services = await startServices({ folder, throwAway: true })
  try {
    await makeTemplate(services.databaseUrl)
    if (browser) await makeDemoTemplate(services, folder)
  } finally {
    await services.stop()
  }
}
