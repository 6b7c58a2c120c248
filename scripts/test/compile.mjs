import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hashOf, keepNewest, markUsed } from '../run/cached-files.mjs'
import { inRoot, root } from '../root.mjs'

/** Entry points that tests start as processes or the server starts as threads. */
const PROGRAMS = [
  'server/main.ts',
  'server/restore.ts',
  'server/standins/stripe/main.ts',
  'server/features/deals/paper-thread.ts',
  'server/features/find/columns/find-thread.ts',
  'server/features/posting/sheets/sheet-thread.ts',
]
const SOURCES = ['client', 'server', 'shared', 'tests', 'scripts/test', 'package-lock.json']
const KEPT = inRoot('.data', 'tests')
const keptMost = 4

/**
 * @typedef {object} Compiled
 * @property {string} folder
 * @property {(file: string) => string} fileOf returns the compiled file of a test file
 * @property {(file: string) => Set<string>} reachedBy returns the sources a test file imports, directly or indirectly
 */

const withoutEnding = (/** @type {string} */ file) => file.replace(/\.\w+$/, '')

/**
 * Compiles test files and their imports; compiling in each test process would take seconds. Every module stays a separate file,
 * to preserve the order of execution. Caches the result by a hash of the sources.
 * @param {string[]} files the chosen test files @param {string[]} all every test file @returns {Promise<Compiled>}
 */
export async function compileTests(files, all) {
  mkdirSync(KEPT, { recursive: true })
  const hash = hashOf(SOURCES)
  const whole = join(KEPT, hash)
  const isWhole = existsSync(whole) || files.length > all.length / 4
  const folder = isWhole
    ? whole
    : join(KEPT, `${hash}-${createHash('sha256').update(files.join()).digest('hex').slice(0, 8)}`)
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`
    await compileInto(fresh, [...PROGRAMS, ...(isWhole ? all : files)])
    keepNewest(KEPT, keptMost)
    if (existsSync(folder)) rmSync(fresh, { recursive: true })
    else renameSync(fresh, folder)
  }
  markUsed(folder)
  /** @type {Record<string, string[]>} */
  const imports = JSON.parse(readFileSync(join(folder, 'imports.json'), 'utf8'))
  const reachedBy = (/** @type {string} */ file) => {
    const reached = new Set([file])
    for (const one of reached) for (const other of imports[one] ?? []) reached.add(other)
    return reached
  }
  return { folder, fileOf: (file) => join(folder, `${withoutEnding(file)}.mjs`), reachedBy }
}

/** @param {string} folder @param {string[]} files */
async function compileInto(folder, files) {
  const { build } = await import('vite')
  const { NODE_ENV } = process.env
  const input = Object.fromEntries(files.map((file) => [withoutEnding(file), inRoot(file)]))
  const worker = pathToFileURL(inRoot('scripts', 'test', 'worker.mjs')).href
  mkdirSync(folder, { recursive: true })
  const tap = pathToFileURL(join(folder, 'tap.mjs').replace(/\.\d+\//, '/')).href
  writeFileSync(
    join(folder, 'tap.mjs'),
    `import { fileTest as t } from '${worker}'\nexport default t\nexport const test = (...about) => t.test(...about)\n`,
  )
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    // Compiles the listed files; packages they import stay external.
    ssr: { noExternal: Object.values(input) },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      target: 'node20',
      reportCompressedSize: false,
      rolldownOptions: {
        input,
        output: {
          preserveModules: true,
          preserveModulesRoot: root,
          entryFileNames: '[name].mjs',
          paths: (specifier) => (specifier === 'tap' ? tap : specifier),
        },
      },
    },
  })
  // Vite sets NODE_ENV to `production`, which programs started later would inherit.
  if (NODE_ENV === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = NODE_ENV
  if (!('output' in built)) throw new Error('one build was asked for')
  /** @type {Record<string, string>} */
  const sourceOf = {}
  const chunks = built.output.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk] : []))
  for (const { fileName, facadeModuleId } of chunks) sourceOf[fileName] = relative(root, facadeModuleId ?? fileName)
  const imports = chunks.map(({ fileName, imports: own, dynamicImports }) => [
    sourceOf[fileName],
    [...own, ...dynamicImports].flatMap((name) => sourceOf[name] ?? []),
  ])
  writeFileSync(join(folder, 'imports.json'), JSON.stringify(Object.fromEntries(imports)))
}
