import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin, ResolvedConfig } from 'vite'

/** Excludes fonts and bitmap images, which are already compressed, and source maps, which only developers load. */
const worthIt = /\.(js|css|svg|webmanifest|json|wasm)$/
const smallestBytes = 256
/** Below the maximum quality, the result is nearly as small and takes a tenth of the time. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }

/** Writes `.br` and `.gz` files next to every file worth compressing, so that the server does not have to compress it. */
export function compressAssets(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'lanewire-compress',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    async writeBundle() {
      const folder = config.build.outDir
      const names = await readdir(folder, { recursive: true })
      for (const name of names.filter((one) => worthIt.test(one))) {
        const bytes = await readFile(join(folder, name))
        if (bytes.length < smallestBytes) continue
        await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, { params }))
        await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
      }
    },
  }
}
