import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin, ResolvedConfig } from 'vite'

/** Fonts and images are already compressed; source maps are for developers. */
const worthIt = /\.(js|css|svg|webmanifest|json|wasm)$/
const smallestBytes = 256
/** One below the maximum: nearly as small, in a tenth of the time. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }

/** Writes `.br` and `.gz` next to every file that shrinks, so that the server need not compress. */
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
