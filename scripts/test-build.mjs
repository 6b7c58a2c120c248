import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRoot, root } from './root.mjs'

/** What tests start as processes of their own, and what a server starts as a thread. */
const PROGRAMS = [
  'server/main.ts',
  'server/restore.ts',
  'server/standins/stripe/main.ts',
  'server/features/deals/paper-thread.ts',
  'server/features/find/columns/find-thread.ts',
  'server/features/posting/sheet-thread.ts',
]

/**
 * Packages of the server, of which a process loads some thousand modules. Not those of the client, which are fewer and keep a process of
 * some tests from its end when they are bundled; nor native ones, nor what few files use.
 */
const BUNDLED = [
  '@bull-board/api',
  '@bull-board/fastify',
  '@fastify/cookie',
  '@fastify/multipart',
  '@fastify/proxy-addr',
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@fastify/under-pressure',
  'ajv',
  'bullmq',
  'fast-json-stringify',
  'fastify',
  'fastify-plugin',
  'helmet',
  'ioredis',
  'ipaddr.js',
  'kysely',
  'lru-cache',
  'nodemailer',
  'otpauth',
  'papaparse',
  'pg',
  'pg-copy-streams',
  'pino',
  'prom-client',
  'rate-limiter-flexible',
  'saxes',
  'socket.io',
  'socket.io-adapter',
  'stripe',
  'typebox',
  'yauzl',
  'yazl',
]

/**
 * @typedef {object} TestBuild
 * @property {string} folder
 * @property {(source: string) => string} compiledOf the file to run for a test file
 * @property {() => void} remove
 */

const withoutEnding = (/** @type {string} */ file) => file.replace(/\.\w+$/, '')

/** @typedef {{ noExternal: true | string[] }} Packages which are compiled as well */
/** @typedef {NonNullable<NonNullable<import('vite').BuildOptions['rolldownOptions']>['output']>} Output */

/** @param {string} outDir @param {Record<string, string>} input @param {Packages} packages @param {Output} output @returns {Promise<string[]>} what was written */
async function compile(outDir, input, packages, output) {
  const { build } = await import('vite')
  const built = await build({
    configFile: false,
    root,
    logLevel: packages.noExternal === true ? 'error' : 'warn',
    publicDir: false,
    plugins: [asAtTheirPlace],
    ssr: packages,
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      sourcemap: packages.noExternal !== true,
      minify: false,
      target: 'node20',
      reportCompressedSize: false,
      rolldownOptions: { input, output },
    },
  })
  if (!('output' in built)) throw new Error('one build was asked for')
  return built.output.flatMap((file) => (file.type === 'chunk' ? file.code : []))
}

/**
 * A package that finds files beside its own goes on finding them from where it is bundled to.
 * @type {import('vite').Plugin}
 */
const asAtTheirPlace = {
  name: 'lanewire-packages-at-their-place',
  transform: {
    filter: { id: /node_modules/, code: /__dirname|__filename|import\.meta\.url|require\.resolve\(/ },
    handler(code, id) {
      const [file = id] = id.split('?')
      const { resolve } = createRequire(file)
      const placed = code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        .replaceAll(/require\.resolve\((['"])([^'"]+)\1\)/g, (_all, _quote, wanted) => JSON.stringify(resolve(wanted)))
      const isModule = /^\s*(import|export)\b/m.test(code) || /(const|let|var) __dirname\b/.test(code)
      const names = `var __dirname=${JSON.stringify(dirname(file))},__filename=${JSON.stringify(file)};`
      return { code: isModule ? placed : names + placed, map: null }
    },
  },
}

/** @param {string} specifier */
const isBundled = (specifier) => BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`))

/**
 * What takes from a package all that the compiled files take from it. They say what: of a CommonJS package nobody else knows its names.
 * @param {string[]} codes @param {string} specifier @param {string} url by which they import it
 */
function takenFrom(codes, specifier, url) {
  const taken = new Set()
  const statement = new RegExp(`(?:^import (.+?) from |\\bimport\\()"${url.replaceAll(/[.+]/g, '\\$&')}"`, 'gm')
  for (const code of codes) {
    if (!code.includes(url)) continue
    for (const [, names = '*'] of code.matchAll(statement)) {
      if (names.startsWith('*')) taken.add('*')
      const [, list = ''] = /\{(.+)\}/.exec(names) ?? []
      for (const name of list.split(',')) if (name.trim() !== '') taken.add(name.trim().split(' as ')[0])
      if (/^[\w$]/.test(names)) taken.add('default')
    }
  }
  const all = taken.delete('*') ? `export * from '${specifier}'\n` : ''
  return `${all}export { ${[...taken].join(', ')} } from '${specifier}'\n`
}

/**
 * Test files and all they import, as JavaScript: a process that compiles for itself needs seconds before its first test. A
 * module of ours stays a file of its own, so that all are run in the order of the sources. Packages are bundled: to find and load their
 * modules one by one took a third of what a file needs before its first test. The folder is below the project's, for those that are not.
 * @param {string[]} files relative to the project
 * @returns {Promise<TestBuild>}
 */
export async function compileTests(files) {
  mkdirSync(inRoot('.data'), { recursive: true })
  const folder = mkdtempSync(inRoot('.data', 'tests-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const { NODE_ENV } = process.env
  try {
    await compileInto(folder, files)
  } catch (error) {
    remove()
    throw error
  } finally {
    // Vite makes it `production`, which what is started later would take as said to it.
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
  return {
    folder,
    compiledOf: (file) => relative(root, join(folder, `${withoutEnding(file)}.mjs`)),
    remove,
  }
}

/** @param {string} folder @param {string[]} files */
async function compileInto(folder, files) {
  const packages = join(folder, 'packages')
  const taken = join(packages, 'taken')
  /** @type {Map<string, string>} */
  const urls = new Map()
  const nameOf = (/** @type {string} */ specifier) => specifier.replaceAll('/', '-')
  const standIn = join(folder, 'tap.mjs')
  const runner = pathToFileURL(inRoot('scripts', 'test-process.mjs')).href
  const named = 'export default t\nexport const test = (...about) => t.test(...about)\n'
  writeFileSync(standIn, `import { fileTest as t } from '${runner}'\n${named}`)
  const sources = Object.fromEntries([...PROGRAMS, ...files].map((file) => [withoutEnding(file), inRoot(file)]))
  const codes = await compile(
    folder,
    sources,
    // What is named is compiled; of what that imports, packages are not.
    { noExternal: Object.values(sources) },
    {
      preserveModules: true,
      preserveModulesRoot: root,
      entryFileNames: '[name].mjs',
      paths(specifier) {
        if (specifier === 'tap') return pathToFileURL(standIn).href
        if (!isBundled(specifier)) return specifier
        const { href } = pathToFileURL(join(packages, `${nameOf(specifier)}.mjs`))
        urls.set(specifier, href)
        return href
      },
    },
  )
  mkdirSync(taken, { recursive: true })
  const fileOf = (/** @type {string} */ specifier) => join(taken, `${nameOf(specifier)}.mjs`)
  for (const [specifier, url] of urls) writeFileSync(fileOf(specifier), takenFrom(codes, specifier, url))
  const input = Object.fromEntries([...urls.keys()].map((specifier) => [nameOf(specifier), fileOf(specifier)]))
  const output = { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' }
  if (urls.size > 0) await compile(packages, input, { noExternal: true }, output)
}
