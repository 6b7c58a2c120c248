import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const helper = '\0vite/preload-helper.js'
const loader = fileURLToPath(new URL('client/lib/screen/load-chunk.ts', import.meta.url))

/** Replaces Vite's preload helper with client/lib/screen/load-chunk.ts, which can retry failed dynamic imports. */
export const chunkLoader = (): Plugin => ({
  name: 'lanewire-chunk-loader',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id === helper ? `export { loadChunk as __vitePreload } from ${JSON.stringify(loader)}` : undefined),
})
