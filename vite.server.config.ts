import { defineConfig } from 'vite'

/** The server as one bundle with its source map; packages stay in node_modules. The `#…` imports resolve by package.json. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    target: 'node20',
    rolldownOptions: {
      // migrate stands alone for deployments that migrate once before any server starts, restore for an empty database.
      input: {
        main: 'server/main.ts',
        migrate: 'server/db/migrate.ts',
        restore: 'server/features/backups/backup-restore.ts',
        // Started as a process of its own for a backup.
        'pg-dump': 'server/features/backups/backup-program.mjs',
        // Started as a thread of its own for a spreadsheet.
        'sheet-thread': 'server/features/spreadsheets/sheet-thread.ts',
        // The payment provider of a demo that runs as several processes.
        standin: 'server/standins/stripe/main.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
})
