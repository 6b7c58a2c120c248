import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inRoot, root } from './root.mjs'

/** What tests start as processes of their own. */
const PROGRAMS = ['server/main.ts']

/**
 * @typedef {object} TestBuild
 * @property {string} folder
 * @property {(source: string) => string} compiledOf the file to run for a test file
 * @property {(compiled: string) => string} sourceOf what was compiled into it
 * @property {() => void} remove
 */

/**
 * Test files and all they import, as JavaScript: a process that compiles for itself needs seconds before its first test.
 * Packages stay in node_modules, so the folder has to be below the project's.
 * @param {string[]} files relative to the project
 * @returns {Promise<TestBuild>}
 */
export async function compileTests(files) {
  const { build } = await import('vite')
  mkdirSync(inRoot('.data'), { recursive: true })
  const folder = mkdtempSync(inRoot('.data', 'tests-'))
  const withoutEnding = (/** @type {string} */ file) => file.replace(/\.\w+$/, '')
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
        output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      },
    },
  })
  const compiledOf = (/** @type {string} */ file) => relative(root, join(folder, `${withoutEnding(file)}.mjs`))
  const sources = new Map(files.map((file) => [compiledOf(file), file]))
  return {
    folder,
    compiledOf,
    sourceOf: (compiled) => sources.get(compiled) ?? compiled,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
