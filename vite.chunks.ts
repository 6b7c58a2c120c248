import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

const module = (path: string) => fileURLToPath(new URL(`client/${path}`, import.meta.url))
const island = (name: string) => module(`features/site/${name}.tsx`)

const laterOf = (ids: Iterable<string>, modules: Modules): string[] =>
  [...ids].flatMap((id) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])

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

/** Modules that keep their own chunks: the entries, which run when loaded, and the style sheet of the public pages. */
const alone = new Set([module('main.tsx'), module('site.ts'), module('styles/site.css')])

const hydrate = island('hydrate-islands')
/** Islands that appear on the same page and therefore share a file. */
const together = {
  landing: ['watch-demo', 'activity-ticker', 'plan-cards'].map(island),
  status: ['status-board', 'incident-list'].map(island),
}

interface Closures {
  site: Set<string>
  islands: Map<string, Set<string>>
  landing: Set<string>
  pressed: Set<string>
  app: Set<string>
  feed: Set<string>
}

function closuresOf(modules: Modules): Closures {
  const every = laterOf([hydrate], modules)
  const single = every.filter((id) => !Object.values(together).flat().includes(id))
  const files = { hydrate: [hydrate], ...together, ...Object.fromEntries(single.map((id) => [id, [id]])) }
  return {
    site: closureOf([module('site.ts')], modules),
    islands: new Map(Object.entries(files).map(([file, ids]) => [file, closureOf(ids, modules)])),
    landing: closureOf([hydrate, ...together.landing], modules),
    pressed: closureOf(laterOf(closureOf([hydrate, ...every], modules), modules), modules),
    app: closureOf([module('main.tsx')], modules),
    feed: closureOf([module('pages/home.tsx')], modules),
  }
}

/** The bundler's own runtime, which every page needs. */
const isOfBundler = (id: string) => /modulepreload-polyfill|preload-helper|lib\/load-chunk|rolldown[:/]runtime/.test(id)

function islandChunkOf(id: string, files: string[], isOnLanding: boolean): string | undefined {
  const [file = '', ...others] = files
  const isOfSite = /\/(features\/site|content|node_modules)\//.test(id)
  if (others.length > 0 || file === 'hydrate') return isOfSite || isOnLanding ? 'hydrate' : 'forms'
  if (file in together) return file
  return isOfSite || file === '' ? undefined : 'forms'
}

function chunkOf(id: string, { site, islands, landing, pressed, app, feed }: Closures): string | undefined {
  if (alone.has(id)) return undefined
  if (site.has(id) || isOfBundler(id)) return 'base'
  const files = [...islands.keys()].filter((file) => islands.get(file)?.has(id))
  if (!app.has(id) && !feed.has(id)) return islandChunkOf(id, files, landing.has(id))
  if (files.length > 0) return landing.has(id) ? 'ui' : 'forms'
  if (pressed.has(id) || id.includes('node_modules')) return undefined
  return app.has(id) ? 'shell' : 'feed'
}

/**
 * Groups modules into a few files, which load faster and compress better than a hundred small files:
 * - `base`: shared by the public pages and the app
 * - `ui`, `forms`: shared by the app and islands; `ui` for islands of the landing page, `forms` for those of other pages
 * - `hydrate`: starts the islands, and has code that several islands share; `landing`, `status`: the islands of one page
 * - `shell`: every page of the app; `feed`: the page that most dealers open first
 * A shared module goes to its first user, so that public pages never wait for the app.
 */
export function startChunks(): Rolldown.CodeSplittingGroup[] {
  let closures: Closures | undefined
  const named = (name: string, priority: number): Rolldown.CodeSplittingGroup => ({
    debugName: name,
    name: (id, modules) => (chunkOf(id, (closures ??= closuresOf(modules))) === name ? name : null),
    priority,
  })
  return [
    named('base', 4),
    named('ui', 1.8),
    named('forms', 1.7),
    named('hydrate', 1.6),
    named('landing', 1.5),
    named('status', 1.4),
    named('shell', 1.2),
    named('feed', 1.1),
  ]
}

/** Preloads the chunk of the feed, which the app would otherwise request only after it has started. */
export function preloadFeed(): Plugin {
  return {
    name: 'lanewire-preload-feed',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { filename, bundle = {} }) {
        if (filename !== module('index.html')) return []
        const feed = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'feed')
        if (!feed) throw new Error('There is no file of the feed')
        const attrs = { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${feed.fileName}` }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}
