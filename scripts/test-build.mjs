import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRoot, root } from './root.mjs'

/** What tests start as processes of their own, and what a server starts as a thread. */
const PROGRAMS = ['server/main.ts', 'server/standins/stripe/main.ts', 'server/features/posting/sheet-thread.ts']

/** Packages of hundreds of small modules: loading them one by one took a third of what a file needs before its first test. */
const BUNDLED = ['typebox', 'typebox/value', 'typebox/compile', 'kysely', 'stripe']

/**
 * @typedef {object} TestBuild
 * @property {string} folder
 * @property {(source: string) => string} compiledOf the file to run for a test file
 * @property {() => void} remove
 */

/**
 * Test files and all they import, as JavaScript: a process that compiles for itself needs seconds before its first test. A
 * module stays a file of its own, so that all are run in the order of the sources. Packages stay in node_modules, so the
 * folder has to be below the project's.
 * @param {string[]} files relative to the project
 * @returns {Promise<TestBuild>}
 */
export async function compileTests(files) {
  const { build } = await import('vite')
  /** @param {string} outDir @param {Record<string, string>} input @param {{ entryFileNames: string, chunkFileNames?: string, preserveModules?: boolean, preserveModulesRoot?: string, paths?: Record<string, string> }} output */
  const compile = (outDir, input, output) =>
    build({
      configFile: false,
      root,
      logLevel: 'warn',
      publicDir: false,
      // What is named is compiled; of what that imports, packages are not.
      ssr: { noExternal: Object.values(input) },
      build: {
        ssr: true,
        outDir,
        emptyOutDir: false,
        sourcemap: true,
        minify: false,
        target: 'node20',
        reportCompressedSize: false,
        rolldownOptions: { input, output },
      },
    })
  mkdirSync(inRoot('.data'), { recursive: true })
  const folder = mkdtempSync(inRoot('.data', 'tests-'))
  const withoutEnding = (/** @type {string} */ file) => file.replace(/\.\w+$/, '')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const { NODE_ENV } = process.env
  try {
    const packages = join(folder, 'packages')
    const bundle = (/** @type {string} */ name) => name.replace('/', '-')
    await compile(packages, Object.fromEntries(BUNDLED.map((name) => [bundle(name), name])), {
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunks/[name].mjs',
    })
    await compile(
      folder,
      Object.fromEntries([...PROGRAMS, ...files].map((file) => [withoutEnding(file), inRoot(file)])),
      {
        preserveModules: true,
        preserveModulesRoot: root,
        entryFileNames: '[name].mjs',
        paths: Object.fromEntries(
          BUNDLED.map((name) => [name, pathToFileURL(join(packages, `${bundle(name)}.mjs`)).href]),
        ),
      },
    )
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
