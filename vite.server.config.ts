import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** Copies the SQL functions and postal codes that the server reads at startup. */
const copyData: Plugin = {
  name: 'copy-data',
  generateBundle() {
    for (const fileName of readdirSync('server', { recursive: true, encoding: 'utf8' }))
      if (/\.(sql|tsv\.gz)$/.test(fileName))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join('server', fileName)) })
  },
}

/** Packages to bundle, because they have hundreds of small modules. Loading these took a third of the startup time. */
const bundled = ['typebox', 'kysely', 'stripe']

/** Packages that are not in `bundled` stay in node_modules, and `#…` imports resolve through package.json. */
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
      // `migrate` is for deployments that migrate before any server starts.
      input: {
        main: 'server/main.ts',
        migrate: 'server/db/migrate.ts',
        restore: 'server/restore.ts',
        admin: 'server/admin.ts',
        // A separate file, because a real network never loads the demo data.
        seed: 'server/db/seed/seed.ts',
        'remove-demo': 'server/db/seed/remove-demo.ts',
        // A child process that makes backups.
        'pg-dump': 'server/features/admin/backups/backup-program.mjs',
        // A worker thread that holds, searches and counts Find's vehicles.
        'find-thread': 'server/features/find/columns/find-thread.ts',
        // A worker thread that generates the documents of deals.
        'paper-thread': 'server/features/deals/paper-thread.ts',
        'sheet-thread': 'server/features/posting/sheets/sheet-thread.ts',
        // The simulated payment provider, for a demo that runs several processes.
        standin: 'server/standins/stripe/main.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
})
