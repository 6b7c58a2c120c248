import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hashOf, keepNewest } from '../kept.mjs'
import { inRoot, root } from '../root.mjs'

/** Programs that tests start as processes, and threads that a server starts. */
const PROGRAMS = [
  'server/main.ts',
  'server/restore.ts',
  'server/standins/stripe/main.ts',
  'server/features/deals/paper-thread.ts',
  'server/features/find/columns/find-thread.ts',
  'server/features/posting/sheet-thread.ts',
]
const SOURCES = ['client', 'server', 'shared', 'tests', 'scripts/test', 'package-lock.json']
const KEPT = inRoot('.data', 'tests')
const keptMost = 4

/**
 * @typedef {object} Compiled
 * @property {string} folder
 * @property {(file: string) => string} fileOf the compiled file of a test file
 * @property {(file: string) => Set<string>} reachedBy the sources that a test file imports, directly or not
 */

const withoutEnding = (/** @type {string} */ file) => file.replace(/\.\w+$/, '')

/**
 * Compiles test files and everything of ours that they import; a process that compiles for itself needs seconds before its
 * first test. Every module stays a file of its own, so that all run in the order of the sources. What was compiled from the
 * same sources is used again.
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
    // Named files are compiled; of what those import, packages are not.
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
  // Vite sets it to `production`, which programs that are started later would inherit.
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
