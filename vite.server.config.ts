import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** Copies the SQL functions and postal code data that the server reads at start, in the same folders. */
const copyData: Plugin = {
  name: 'copy-data',
  generateBundle() {
    for (const fileName of readdirSync('server', { recursive: true, encoding: 'utf8' }))
      if (/\.(sql|tsv\.gz)$/.test(fileName))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join('server', fileName)) })
  },
}

/** Bundled, because loading their hundreds of small modules took a third of the start time. */
const bundled = ['typebox', 'kysely', 'stripe']

/** Bundles the server. Other packages stay in node_modules, and `#…` imports resolve through package.json. */
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
      checks: { bundlerTimings: false },
      // migrate: for deployments that migrate before any server starts. restore: for an empty database.
      input: {
        main: 'server/main.ts',
        migrate: 'server/db/migrate.ts',
        restore: 'server/restore.ts',
        admin: 'server/admin.ts',
        // Fills the demo. A real network never loads it.
        seed: 'server/db/seed/seed.ts',
        // Removes the demo: `npm run demo:remove`.
        'remove-demo': 'server/db/seed/remove-demo.ts',
        // A child process for backups.
        'pg-dump': 'server/features/admin/backups/backup-program.mjs',
        // A worker thread that holds and counts the vehicles of Find.
        'find-thread': 'server/features/find/columns/find-thread.ts',
        // A worker thread that draws the papers of deals.
        'paper-thread': 'server/features/deals/paper-thread.ts',
        // A worker thread that reads a spreadsheet.
        'sheet-thread': 'server/features/posting/sheets/sheet-thread.ts',
        // The payment provider's stand-in for a demo with several processes.
        standin: 'server/standins/stripe/main.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
})
