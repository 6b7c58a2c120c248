import react from '@vitejs/plugin-react'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, type ViteDevServer } from 'vite'
import { siteFolder, siteVariants, type SiteVariant, visitorAppPage } from './shared/visitor-pages.ts'

interface PageEntry {
  path: string
  hidden?: boolean
}

/** The exports of client/prerender.tsx. This file is compiled without JSX, so it cannot import their types. */
interface Prerender {
  sitePages(billing: boolean): readonly PageEntry[]
  renderPage(template: string, page: PageEntry, variant: SiteVariant): string
}

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const outDir = fromRoot('dist/client')
const bundleDir = fromRoot('node_modules/.cache/lanewire-prerender')

/** Outside of the client's files, because the server inserts its own address before it sends a page. */
const pagesDir = fromRoot('dist/site')

/** `blog/x.html` for `/blog/x`, and `index.html` for the landing page. */
const fileOf = (path: string) => `${path === '/' ? 'index' : path.slice(1)}.html`

async function writePages(template: string, { renderPage, sitePages: pages }: Prerender, variant: SiteVariant) {
  const { billing } = variant
  const folder = join(pagesDir, siteFolder(variant))
  for (const page of pages(billing)) {
    const file = join(folder, fileOf(page.path))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, renderPage(template, page, variant))
  }
  const list = pages(billing).map(({ path, hidden }) => ({ path, file: fileOf(path), listed: !hidden }))
  await writeFile(join(folder, 'pages.json'), JSON.stringify(list))
}

async function loadPrerender(): Promise<Prerender> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: fromRoot('client'),
    plugins: [react()],
    publicDir: false,
    build: { ssr: fromRoot('client/prerender.tsx'), outDir: bundleDir, emptyOutDir: true, target: 'node20' },
  })
  return (await import(pathToFileURL(join(bundleDir, 'prerender.js')).href)) as Prerender
}

async function withFontPreload(template: string, files: string[]): Promise<string> {
  const font = files.find((file) => /inter-latin-opsz-normal.*\.woff2$/.test(file))
  if (!font) return template
  return template.replace(
    '</title>',
    `</title>\n    <link rel="preload" as="font" type="font/woff2" href="/${font}" crossorigin />`,
  )
}

/** Builds the public pages together with the app: one template, one script, and an HTML file for each page. */
export function sitePages(): Plugin {
  let files: string[] = []
  return {
    name: 'lanewire-site-pages',
    config: () => ({
      build: { rolldownOptions: { input: { app: fromRoot('client/index.html'), site: fromRoot('client/site.html') } } },
    }),
    writeBundle(_options, bundle) {
      files = Object.keys(bundle)
    },
    closeBundle: {
      sequential: true,
      async handler() {
        if (files.length === 0) return
        const templateFile = join(outDir, 'site.html')
        const template = await withFontPreload(await readFile(templateFile, 'utf8'), files)
        const prerender = await loadPrerender()
        await rm(pagesDir, { recursive: true, force: true })
        for (const variant of siteVariants) await writePages(template, prerender, variant)
        await rm(templateFile)
      },
    },
    configureServer: serveSitePages,
  }
}

async function askServer(cookie: string): Promise<SiteVariant & { authenticated: boolean }> {
  const response = await fetch(`http://localhost:${process.env['SERVER_PORT'] ?? '5000'}/api/auth/status`, {
    headers: { cookie },
  })
  if (!response.ok) throw new Error('the server does not answer')
  return (await response.json()) as SiteVariant & { authenticated: boolean }
}

/** In development, serves the public pages to visitors and renders them on each request. Dealers and /login get the app. */
function serveSitePages(server: ViteDevServer) {
  server.middlewares.use((request, response, next) => {
    const address = new URL(request.url ?? '/', 'http://localhost')
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
    if (!wantsPage || visitorAppPage.test(address.pathname) || /^\/(api|objects)\//.test(address.pathname))
      return next()
    const answer = async () => {
      const { authenticated, billing, demo } = await askServer(request.headers.cookie ?? '').catch(() => ({
        authenticated: true,
        billing: true,
        demo: false,
      }))
      if (authenticated && !address.searchParams.has('public')) return next()
      const { renderPage, sitePages: pages } = (await server.ssrLoadModule('/prerender.tsx')) as Prerender
      const known = pages(billing)
      const page = known.find(({ path }) => path === address.pathname) ?? known[0]
      if (!page) return next()
      const template = await readFile(fromRoot('client/site.html'), 'utf8')
      const html = renderPage(await server.transformIndexHtml('/site.html', template), page, {
        billing,
        demo,
      })
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html.replaceAll('%ORIGIN%', address.origin))
    }
    answer().catch(next)
  })
}
