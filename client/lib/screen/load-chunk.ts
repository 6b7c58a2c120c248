/**
 * Loads the code for every dynamic `import()` in the build. Replaces Vite's preload helper (vite.chunk-loader.ts).
 * If a module fails to load, Chrome remembers the failure until the page is closed (https://github.com/whatwg/html/issues/6768). To avoid
 * this, the loader first fetches all files in parallel, and then imports them from the browser's cache.
 */

import { tab } from '../storage/tab-state.ts'

function noteLoaded(): void {
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[href]'))
    tab.codeFiles.set(href, Promise.resolve())
  for (const { src } of document.querySelectorAll<HTMLScriptElement>('script[src]'))
    tab.codeFiles.set(src, Promise.resolve())
}

async function fetchScript(url: string): Promise<void> {
  // Read the whole body, because only then is the file in the cache.
  const isThere = await fetch(url).then(
    (response) => response.ok && response.arrayBuffer().then(() => true),
    () => false,
  )
  // page-error.tsx recognizes a failed import by this message.
  if (!isThere) throw new TypeError(`Failed to fetch dynamically imported module: ${url}`)
}

function addStyles(url: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href: url })
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`Unable to preload CSS for ${url}`))
    })
    document.head.append(link)
  })
}

function fetchOnce(url: string): Promise<unknown> {
  const known = tab.codeFiles.get(url)
  if (known !== undefined) return known
  const fetched = url.endsWith('.css') ? addStyles(url) : fetchScript(url)
  tab.codeFiles.set(url, fetched)
  fetched.catch(() => tab.codeFiles.delete(url))
  return fetched
}

const ownFile = (load: () => unknown): string | undefined => /import\(\s*["'`]([^"'`]+)["'`]/.exec(String(load))?.[1]

/** @param others other files that the module needs, relative to the root of the site */
export async function loadChunk<Module>(load: () => Promise<Module>, others: readonly string[] = []): Promise<Module> {
  if (tab.codeFiles.size === 0) noteLoaded()
  const own = ownFile(load)
  const urls = [
    ...others.map((file) => new URL(`/${file}`, document.baseURI).href),
    ...(own === undefined ? [] : [new URL(own, import.meta.url).href]),
  ]
  await Promise.all(urls.map(fetchOnce))
  return load()
}
