/**
 * Loads the code behind every dynamic `import()` of the build, in the place of Vite's own preload helper (vite.chunk-loader.ts).
 *
 * Chrome remembers a module that could not be fetched for as long as the page is open: another `import()` of it fails without asking the
 * network, and so does every module that imports it (https://github.com/whatwg/html/issues/6768). So all files are fetched first, in parallel,
 * and imported once they are there, out of the browser's cache.
 */

import { tab } from './tab.ts'

/** What the document itself has loaded: its entry, what that imports, and its style sheets. */
function noteLoaded(): void {
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[href]'))
    tab.codeFiles.set(href, Promise.resolve())
  for (const { src } of document.querySelectorAll<HTMLScriptElement>('script[src]'))
    tab.codeFiles.set(src, Promise.resolve())
}

async function fetchScript(url: string): Promise<void> {
  // To its end: only then is it in the cache.
  const isThere = await fetch(url).then(
    (response) => response.ok && response.arrayBuffer().then(() => true),
    () => false,
  )
  // The words of a failed import, by which page-error.tsx knows it.
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

/** A file that failed is asked for again by whoever wants it next. */
function fetchOnce(url: string): Promise<unknown> {
  const known = tab.codeFiles.get(url)
  if (known !== undefined) return known
  const fetched = url.endsWith('.css') ? addStyles(url) : fetchScript(url)
  tab.codeFiles.set(url, fetched)
  fetched.catch(() => tab.codeFiles.delete(url))
  return fetched
}

/** The file in `() => import('./page.js')`: Vite names the others only. */
const ownFile = (load: () => unknown): string | undefined => /import\(\s*["'`]([^"'`]+)["'`]/.exec(String(load))?.[1]

/** @param others files that the module needs, from the root of the site */
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
