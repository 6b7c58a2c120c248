import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** What Vite wraps each dynamic import with, and where its code comes from. */
const helper = '\0vite/preload-helper.js'
const loader = fileURLToPath(new URL('client/lib/load-chunk.ts', import.meta.url))

/** Dynamic imports that failed can be tried again: client/lib/load-chunk.ts in the place of Vite's helper. */
export const chunkLoader = (): Plugin => ({
  name: 'lanewire-chunk-loader',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id === helper ? `export { loadChunk as __vitePreload } from ${JSON.stringify(loader)}` : undefined),
})
