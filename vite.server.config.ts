import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** The functions of the database and where postal codes lie, which the server reads when it starts: in the folders that they have among the sources. */
const copyData: Plugin = {
  name: 'copy-data',
  generateBundle() {
    for (const fileName of readdirSync('server', { recursive: true, encoding: 'utf8' }))
      if (/\.(sql|tsv\.gz)$/.test(fileName))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join('server', fileName)) })
  },
}

/** Packages of hundreds of small modules: finding and loading them one by one took a third of a start. */
const bundled = ['typebox', 'kysely', 'stripe']

/** The server as one bundle with its source map; other packages stay in node_modules. The `#…` imports resolve by package.json. */
export default defineConfig({
  publicDir: false,
  plugins: [copyData],
  ssr: { noExternal: bundled },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    target: 'node20',
    rolldownOptions: {
      // On a slow machine it would warn of how long our own plugins take.
      checks: { bundlerTimings: false },
      // migrate stands alone for deployments that migrate once before any server starts, restore for an empty database.
      input: {
        main: 'server/main.ts',
        migrate: 'server/db/migrate.ts',
        restore: 'server/restore.ts',
        // Makes an admin, for whoever can start the servers.
        admin: 'server/admin.ts',
        // Fills the demo; a network of real dealers never loads it.
        seed: 'server/db/seed/seed.ts',
        // Takes the demo out again: a program of its own, `npm run demo:remove`.
        'remove-demo': 'server/db/seed/remove-demo.ts',
        // Started as a process of its own for a backup.
        'pg-dump': 'server/features/admin/backups/backup-program.mjs',
        // Holds and counts the vehicles of Find, as a thread of its own.
        'find-thread': 'server/features/find/columns/find-thread.ts',
        // Draws the papers of deals, as a thread of its own.
        'paper-thread': 'server/features/deals/paper-thread.ts',
        // Started as a thread of its own for a spreadsheet.
        'sheet-thread': 'server/features/posting/sheet-thread.ts',
        // The payment provider of a demo that runs as several processes.
        standin: 'server/standins/stripe/main.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
})
