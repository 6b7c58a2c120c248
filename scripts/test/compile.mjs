import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hashOf, keepFolder } from '../run/cached-files.mjs'
import { inRoot, root } from '../root.mjs'

/** Matches entry points that tests start as processes, or that the server starts as threads. */
const PROGRAM = /(?:^|[\\/])(?:main|restore|\w+-thread)\.ts$/
const SOURCES = ['client', 'server', 'shared', 'tests', 'scripts/test', 'package-lock.json']
const KEPT = inRoot('.data', 'tests')
const keptMax = 6

/** Compiles tests once for all processes. `reachedBy` returns all modules that a file imports, even indirectly. @param {string[]} files */
export async function compileTests(files) {
  const chosen = createHash('sha256').update(files.toSorted().join()).digest('hex').slice(0, 8)
  const folder = join(KEPT, `${hashOf(SOURCES)}-${chosen}`)
  await keepFolder(folder, keptMax, (fresh) => compileInto(fresh, files))
  /** @type {Record<string, string[]>} */
  const imports = JSON.parse(readFileSync(join(folder, 'imports.json'), 'utf8'))
  const reachedBy = (/** @type {string} */ file) => {
    const reached = new Set([file])
    for (const one of reached) for (const other of imports[one] ?? []) reached.add(other)
    return reached
  }
  const fileOf = (/** @type {string} */ file) => join(folder, file.replace(/\.\w+$/, '.mjs'))
  return { folder, fileOf, reachedBy }
}

/** @param {string} folder @param {string[]} files */
async function compileInto(folder, files) {
  const { build } = await import('vite')
  const programs = readdirSync(inRoot('server'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    PROGRAM.test(name),
  )
  const input = [...files, ...programs.map((name) => join('server', name))].map((file) => inRoot(file))
  const worker = pathToFileURL(inRoot('scripts', 'test', 'worker.mjs')).href
  /** @type {Record<string, string[]>} */
  const imports = {}
  /** @type {import('vite').Plugin} */
  const noteImports = {
    name: 'note-imports',
    moduleParsed({ id, importedIds, dynamicallyImportedIds }) {
      imports[relative(root, id)] = [...importedIds, ...dynamicallyImportedIds].map((other) => relative(root, other))
    },
  }
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [noteImports],
    // Compile the listed files. Packages that they import stay external.
    ssr: { noExternal: input },
    build: {
      ssr: true,
      outDir: folder,
      sourcemap: true,
      target: 'node20',
      rolldownOptions: {
        input,
        output: {
          // Write one file per module, to preserve the order in which modules execute.
          preserveModules: true,
          preserveModulesRoot: root,
          entryFileNames: '[name].mjs',
          paths: (specifier) => (specifier === 'tap' ? worker : specifier),
        },
      },
    },
  })
  writeFileSync(join(folder, 'imports.json'), JSON.stringify(imports))
}
