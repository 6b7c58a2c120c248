import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import manifest from './package.json' with { type: 'json' }
import { chunkLoader } from './vite.chunk-loader.ts'
import { preloadFeed, startChunks } from './vite.chunks.ts'
import { compressAssets } from './vite.compress.ts'
import { sitePages } from './vite.site.ts'

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = `http://localhost:${process.env['SERVER_PORT'] ?? '5000'}`

/** The oldest supported browsers from docs/browsers.md, in Vite's format. */
const floor = manifest.browserslist.map((line) => line.replace('ios_saf', 'ios').replace(' >= ', ''))

export default defineConfig({
  root: fromRoot('client'),
  plugins: [chunkLoader(), react(), tailwindcss(), sitePages(), preloadFeed(), compressAssets()],
  build: {
    outDir: fromRoot('dist/client'),
    emptyOutDir: true,
    target: floor,
    sourcemap: true,
    // Never inline assets, because the content security policy forbids fonts in data: URLs.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Disable the timing warnings, which would report our own plugins on slow machines.
      checks: { bundlerTimings: false },
      output: {
        // Libraries change rarely, so they stay cached across releases.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            {
              name: 'libraries',
              test: /node_modules\/(@tanstack\/(query-core|react-query)|zustand|immer|wouter|regexparam|use-sync-external-store|(socket|engine)\.io-(client|parser))\//,
              priority: 2,
            },
            ...startChunks(),
            // Group the icons that no start chunk has, because each icon would otherwise become a file of about 300 bytes.
            {
              name: 'icons',
              test: /node_modules\/lucide-react\//,
              priority: 1,
              entriesAware: true,
              entriesAwareMergeThreshold: 5_000,
            },
          ],
        },
      },
    },
  },
  server: {
    strictPort: true,
    proxy: {
      '/api': server,
      '/objects': server,
      '/socket.io': { target: server, ws: true },
    },
  },
})
