import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

const module = (path: string) => fileURLToPath(new URL(`client/${path}`, import.meta.url))

const laterOf = (ids: Iterable<string>, modules: Modules): string[] =>
  [...ids].flatMap((id) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])

/** What these modules need at once. */
function closureOf(entries: string[], modules: Modules): Set<string> {
  const found = new Set<string>()
  const open = [...entries]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    const known = modules.getModuleInfo(id)
    if (known === null && entries.includes(id)) throw new Error(`vite.chunks.ts names ${id}, which is not there`)
    open.push(...(known?.importedIds ?? []))
  }
  return found
}

interface Closures {
  site: Set<string>
  islands: Set<string>
  /** What an island fetches at a press. */
  pressed: Set<string>
  app: Set<string>
  feed: Set<string>
}

function closuresOf(modules: Modules): Closures {
  const entry = module('features/site/revive.tsx')
  const islands = closureOf([entry, ...laterOf([entry], modules)], modules)
  return {
    site: closureOf([module('site.ts')], modules),
    islands,
    pressed: closureOf(laterOf(islands, modules), modules),
    app: closureOf([module('main.tsx')], modules),
    feed: closureOf([module('pages/home.tsx')], modules),
  }
}

/** The entries, which run when they are loaded, and the style of the public pages alone: left where they are. */
const alone = new Set([module('main.tsx'), module('site.ts'), module('styles/site.css')])

function chunkOf(id: string, { site, islands, pressed, app, feed }: Closures): string | undefined {
  if (alone.has(id)) return undefined
  if (site.has(id)) return 'base'
  if (!app.has(id) && !feed.has(id)) return undefined
  if (islands.has(id)) return 'ui'
  if (pressed.has(id)) return undefined
  if (id.includes('node_modules')) return undefined
  return app.has(id) ? 'shell' : 'feed'
}

/**
 * A few files in place of a hundred crumbs, which over HTTP/1.1 stand in line for six connections: what the public pages
 * and the app share (`base`), what the pages' live parts and the app share (`ui`), what every page of the app needs
 * (`shell`), and what most dealers open first (`feed`). A file that is shared counts as its first user's: the public
 * pages never wait for the app.
 */
export function startChunks(): Rolldown.CodeSplittingGroup[] {
  let closures: Closures | undefined
  const named = (name: string, priority: number): Rolldown.CodeSplittingGroup => ({
    debugName: name,
    name: (id, modules) => (chunkOf(id, (closures ??= closuresOf(modules))) === name ? name : null),
    priority,
  })
  return [named('base', 4), named('ui', 1.3), named('shell', 1.2), named('feed', 1.1)]
}
