import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Maps each icon name to its file, from the package's index. An icon has several names. */
function readIconFiles(): Map<string, string> {
  const list = readFileSync(
    fileURLToPath(new URL('node_modules/lucide-react/dist/esm/lucide-react.mjs', import.meta.url)),
    'utf8',
  )
  const files = new Map<string, string>()
  for (const [, names = '', file = ''] of list.matchAll(/export \{([^}]+)\} from '\.\/icons\/([\w-]+)\.mjs'/g))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file)
  return files
}

/** Imports every icon from its own file. From the index, public pages would load the app's icons. */
export function singleIcons(): Plugin {
  const files = readIconFiles()
  const importOf = (wanted: string) => {
    const [name = '', local = name] = wanted.split(' as ')
    const file = files.get(name)
    if (file === undefined) throw new Error(`lucide-react has no icon ${name}`)
    return `import ${local} from 'lucide-react/icons/${file}'`
  }
  return {
    name: 'lanewire-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: "from 'lucide-react'" },
      handler(code) {
        const singly = (_all: string, names: string) => {
          const list = names.split(',').flatMap((name) => name.trim() || [])
          // Keeps the line count, for source maps.
          return list.map(importOf).join('; ') + '\n'.repeat(names.split('\n').length - 1)
        }
        return { code: code.replace(/^import \{([^}]+)\} from 'lucide-react'$/gm, singly), map: null }
      },
    },
  }
}
