/** `npm test [-- files]`: everything it needs is started here and thrown away afterwards. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { run, say } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { isAlive } from './processes.mjs'
import { requireRedis } from './redis.mjs'
import { inRoot, root } from './root.mjs'
import { startServices } from './services.mjs'
import { runTests } from './tap.mjs'
import { compileTests } from './test-build.mjs'
import { browserEnvironment, serverEnvironment } from './test-environment.mjs'

const KINDS = ['server', 'live', 'shared', 'client']
/** Two cores are busy with these: who waits, for a server or for a line that is cut, leaves one to another. */
const AT_ONCE = 5
const BROWSERS_AT_ONCE = 3
/** Files that take servers, sockets or Redis to their limits: not many of them side by side. */
const ALONE_AT_ONCE = 2
/** So many files share a browser, each with a product of its own. */
const TOGETHER_IN_BROWSER = 4
/** So many files of a kind share a process: what they import is loaded once, and is fast by the second. */
const TOGETHER = 8
/** Those of the server, and those that draw nothing. */
const isPlain = (/** @type {string} */ file) =>
  /^tests\/(server|shared)\/|^tests\/client\/.*\.ts$|^tests\/[^/]+$/.test(file)
/** Those that have a window, which they share. */
const isDrawn = (/** @type {string} */ file) => /^tests\/client\/.*\.tsx$/.test(file)

const MEMORY = '/dev/shm'
const enoughBytes = 4 * 1024 ** 3

/**
 * A folder for what is thrown away, in memory where there is room: each test file has a database of its own, which is many hundred files,
 * and a disk takes ten times as long to make them. What a killed run left there is removed.
 */
function makeScratch() {
  const room = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 }
  if (Math.min(room.bavail * room.bsize, freemem()) < enoughBytes) return mkdtempSync(join(tmpdir(), 'lanewire-test-'))
  for (const name of readdirSync(MEMORY)) {
    const [, owner] = /^lanewire-test-(\d+)-/.exec(name) ?? []
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(MEMORY, `lanewire-test-${process.pid}-`))
}

/** @param {string} folder */
function testsIn(folder) {
  if (!existsSync(inRoot(folder))) return []
  const names = readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .toSorted()
}

/** The test files in those files and folders, or all of them. `unknown`: what names none. @param {string[]} wanted */
function chooseFiles(wanted) {
  const chosen = wanted.map((file) => relative(root, resolve(file)))
  const isIn = (/** @type {string} */ file, /** @type {string} */ one) => file === one || file.startsWith(`${one}/`)
  const matches = (/** @type {string} */ file) => chosen.length === 0 || chosen.some((one) => isIn(file, one))
  // Beside the folders stands what starts nothing.
  const alone = testsIn('tests').filter((file) => dirname(file) === 'tests')
  const plain = [...alone, ...KINDS.flatMap((kind) => testsIn(join('tests', kind)))].filter(matches)
  const browser = testsIn(join('tests', 'e2e')).filter(matches)
  const unknown = chosen.filter((one) => ![...plain, ...browser].some((file) => isIn(file, one)))
  return { plain, browser, unknown }
}

run(async () => {
  requireRedis()
  await ensureInstalled()
  const { plain, browser, unknown } = chooseFiles(process.argv.slice(2))
  if (unknown.length > 0) {
    say(`No test file is ${unknown.join(', ')}.`)
    return 1
  }
  const folder = makeScratch()
  // PostgreSQL runs as another account when we are root and has to pass through here.
  chmodSync(folder, 0o755)
  /** @type {import('./services.mjs').Services | undefined} */
  let services
  /** @type {import('./test-build.mjs').TestBuild | undefined} */
  let tests
  const stop = async () => {
    await services?.stop()
    tests?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void stop().then(() => process.exit(130)))
  try {
    services = await startServices({ folder, throwAway: true })
    tests = await compileTests([...plain, ...browser])
    const env = { TEST_BUILD: tests.folder, ...(await serverEnvironment(services, folder)) }
    // Built while the server's tests run.
    const browserEnv = browser.length > 0 ? browserEnvironment(services, folder) : Promise.resolve({})
    const sharing = (/** @type {string[]} */ files, most = AT_ONCE, together = TOGETHER) => ({
      files,
      most,
      together: Math.min(together, Math.max(1, Math.ceil(files.length / most))),
      env: Promise.resolve(env),
    })
    const alone = plain.filter((file) => !isPlain(file) && !isDrawn(file))
    const { passed, failed } = await runTests(
      [
        {
          ...sharing(browser, BROWSERS_AT_ONCE, TOGETHER_IN_BROWSER),
          env: browserEnv.then((more) => ({ ...env, ...more })),
        },
        sharing(alone, ALONE_AT_ONCE, 1),
        sharing(plain.filter(isPlain)),
        sharing(plain.filter(isDrawn)),
      ],
      AT_ONCE,
      tests,
    )
    say(`\n${passed} passed, ${failed} failed`)
    return failed > 0 || passed === 0 ? 1 : 0
  } finally {
    await stop()
  }
})
