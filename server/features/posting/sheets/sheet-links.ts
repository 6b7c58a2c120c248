/** Matches Google Sheets URLs with or without an account number or a company domain. */
const googleSheet =
  /^\/(?:a\/[^/]+\/)?spreadsheets\/(?:a\/[^/]+\/)?(?:u\/\d+\/)?d\/(?:(?<published>e\/[\w-]+)|(?<sheet>[\w-]+))/
const driveFile = /^\/(?:a\/[^/]+\/)?file\/(?:u\/\d+\/)?d\/([\w-]+)/

type Rewrite = (link: URL) => URL

const rewrites: readonly (readonly [RegExp, Rewrite])[] = [
  [/^(?:docs|spreadsheets)\.google\.com$/, fromGoogleSheets],
  [/^drive\.google\.com$/, fromGoogleDrive],
  [/^(?:www\.)?dropbox\.com$/, fromDropbox],
  [/^onedrive\.live\.com$/, fromOneDrive],
  [/^1drv\.ms$/, (link) => withParameters(link, { download: '1' })],
  [/\.sharepoint\.com$/, fromSharePoint],
]

/** Returns the download link for a share link. Returns other links unchanged. */
export function fileLink(text: string): string {
  const trimmed = withoutText(text)
  if (!URL.canParse(trimmed)) return trimmed
  const link = unredirected(new URL(trimmed))
  const rewrite = rewrites.find(([host]) => host.test(link.hostname))?.[1]
  if (rewrite === undefined || !/^https?:$/.test(link.protocol)) return trimmed
  link.protocol = 'https:'
  return rewrite(link).href
}

/** Extracts the link from the text, without surrounding brackets or quotation marks. Adds the protocol for known sites. */
function withoutText(text: string): string {
  const link = /https?:\/\/[^\s<>"]+/i.exec(text)?.[0] ?? text.trim()
  return /^(?:docs\.google|drive\.google|(?:www\.)?dropbox|onedrive\.live)\.com\/|^1drv\.ms\//i.test(link)
    ? `https://${link}`
    : link
}

/** Resolves Google's redirect links, which email programs and documents use to count clicks. */
function unredirected(link: URL): URL {
  const target =
    /^(?:www\.)?google\.com$/.test(link.hostname) && link.pathname === '/url'
      ? (link.searchParams.get('q') ?? link.searchParams.get('url'))
      : null
  return target !== null && URL.canParse(target) ? new URL(target) : link
}

function withParameters(link: URL, parameters: Record<string, string>): URL {
  const changed = new URL(link)
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
  changed.hash = ''
  return changed
}

/** Returns the ID of the tab in the link. Without an ID, the export uses the first tab. */
const tabOf = (link: URL): string | undefined =>
  [link.hash, link.search].map((part) => /[#&?]gid=(\d+)/.exec(part)?.[1]).find((gid) => gid !== undefined)

function fromGoogleSheets(link: URL): URL {
  const { published, sheet } = googleSheet.exec(link.pathname)?.groups ?? {}
  if (published !== undefined) return publishedFile(link, published)
  // A query link (`/gviz/`) already names its tab. It returns a file only with the `tqx` parameter.
  if (link.pathname.includes('/gviz/')) return withParameters(link, { tqx: 'out:csv' })
  if (/^\/(?:file\/|uc$|open$)/.test(link.pathname))
    return fromGoogleDrive(new URL(link.pathname + link.search, 'https://drive.google.com'))
  const old = /\/(?:ccc|pub)$/.test(link.pathname) ? link.searchParams.get('key') : null
  return sheet === undefined && old === null ? link : exportOf(link, sheet ?? encodeURIComponent(old ?? ''))
}

function publishedFile(link: URL, published: string): URL {
  const gid = tabOf(link)
  const file = new URL(`/spreadsheets/d/${published}/pub`, link)
  const output = link.searchParams.get('output') ?? ''
  file.searchParams.set('output', /^(?:csv|tsv|xlsx)$/.test(output) ? output : 'csv')
  return gid === undefined ? file : withParameters(file, { gid, single: 'true' })
}

function exportOf(link: URL, sheet: string): URL {
  const gid = tabOf(link)
  const file = new URL(`https://docs.google.com/spreadsheets/d/${sheet}/export?format=csv`)
  const key = link.searchParams.get('resourcekey')
  if (key !== null) file.searchParams.set('resourcekey', key)
  if (gid !== undefined) file.searchParams.set('gid', gid)
  return file
}

function fromGoogleDrive(link: URL): URL {
  const id = driveFile.exec(link.pathname)?.[1] ?? link.searchParams.get('id')
  if (id === null) return link
  const file = new URL('/uc?export=download', link)
  file.searchParams.set('id', id)
  const key = link.searchParams.get('resourcekey')
  if (key !== null) file.searchParams.set('resourcekey', key)
  return file
}

/** Sets `dl=1` to get the file. With `dl=0`, Dropbox shows a preview page instead. */
function fromDropbox(link: URL): URL {
  return withParameters(link, { dl: '1' })
}

function fromOneDrive(link: URL): URL {
  const file = withParameters(link, {})
  const id = link.searchParams.get('id')
  if (link.pathname === '/' && id !== null && !link.searchParams.has('resid')) file.searchParams.set('resid', id)
  if (file.searchParams.has('resid')) {
    file.pathname = '/download'
    return file
  }
  return withParameters(link, { download: '1' })
}

function fromSharePoint(link: URL): URL {
  const id = link.searchParams.get('sourcedoc')
  const [, site] = /^(?:\/:[a-z]:\/[a-z])?(\/.*)\/_layouts\/15\/doc\.aspx$/i.exec(link.pathname) ?? []
  if (id !== null && site !== undefined) {
    const file = new URL(`${site}/_layouts/15/download.aspx`, link)
    file.searchParams.set('UniqueId', id.replace(/[{}]/g, ''))
    return file
  }
  const file = withParameters(link, { download: '1' })
  file.searchParams.delete('web')
  return file
}
