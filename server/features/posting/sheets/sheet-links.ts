/** Matches Google Sheets URLs with or without an account number or a company domain. */
const googleSheet =
  /^\/(?:a\/[^/]+\/)?spreadsheets\/(?:a\/[^/]+\/)?(?:u\/\d+\/)?d\/(?:(?<published>e\/[\w-]+)|(?<sheet>[\w-]+))/
const driveFile = /^\/(?:a\/[^/]+\/)?file\/(?:u\/\d+\/)?d\/([\w-]+)/

type Rewrite = (link: URL) => URL

const rewrites: readonly (readonly [RegExp, Rewrite])[] = [
  [/^docs\.google\.com$/, fromGoogleSheets],
  [/^drive\.google\.com$/, fromGoogleDrive],
  [/^(?:www\.)?dropbox\.com$/, fromDropbox],
  [/^onedrive\.live\.com$/, fromOneDrive],
  [/^1drv\.ms$|\.sharepoint\.com$/, (link) => withParameters(link, { download: '1' })],
]

/** Returns the download link for a share link. Returns other links unchanged. */
export function fileLink(text: string): string {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return trimmed
  const link = new URL(trimmed)
  const rewrite = rewrites.find(([host]) => host.test(link.hostname))?.[1]
  if (rewrite === undefined || !/^https?:$/.test(link.protocol)) return trimmed
  link.protocol = 'https:'
  return rewrite(link).href
}

function withParameters(link: URL, parameters: Record<string, string>): URL {
  const changed = new URL(link)
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
  changed.hash = ''
  return changed
}

/** Returns the tab ID of the link. Without one, the export uses the first tab. */
const tabOf = (link: URL): string | undefined => /[#&?]gid=(\d+)/.exec(link.search + link.hash)?.[1]

function fromGoogleSheets(link: URL): URL {
  const { published, sheet } = googleSheet.exec(link.pathname)?.groups ?? {}
  const gid = tabOf(link)
  if (published !== undefined) {
    const file = new URL(`/spreadsheets/d/${published}/pub`, link)
    file.searchParams.set('output', link.searchParams.get('output') ?? 'csv')
    if (gid !== undefined) return withParameters(file, { gid, single: 'true' })
    return file
  }
  // A query names its tab itself and returns a file.
  if (sheet === undefined || link.pathname.includes('/gviz/')) return link
  const file = new URL(`/spreadsheets/d/${sheet}/export?format=csv`, link)
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

/** `dl=0` shows a preview page. */
function fromDropbox(link: URL): URL {
  return withParameters(link, { dl: '1' })
}

function fromOneDrive(link: URL): URL {
  const file = withParameters(link, {})
  if (link.searchParams.has('resid')) {
    file.pathname = '/download'
    return file
  }
  return withParameters(link, { download: '1' })
}
