import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inRoot, root } from './root.mjs'

/** What tests start as processes of their own, and what a server starts as a thread. */
const PROGRAMS = ['server/main.ts', 'server/standins/stripe/main.ts', 'server/features/spreadsheets/sheet-thread.ts']

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
  mkdirSync(inRoot('.data'), { recursive: true })
  const folder = mkdtempSync(inRoot('.data', 'tests-'))
  const withoutEnding = (/** @type {string} */ file) => file.replace(/\.\w+$/, '')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const { NODE_ENV } = process.env
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      publicDir: false,
      build: {
        ssr: true,
        outDir: folder,
        sourcemap: true,
        minify: false,
        target: 'node20',
        reportCompressedSize: false,
        rolldownOptions: {
          input: Object.fromEntries([...PROGRAMS, ...files].map((file) => [withoutEnding(file), inRoot(file)])),
          output: { preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].mjs' },
        },
      },
    })
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
