// Caches the offline page with its files, and what another app has shared until it becomes a draft. API calls, sockets and uploads
// never pass through here.
const cacheName = 'lanewire-offline-1'
const offlinePage = '/offline'
/** client/features/posting/received-share/shared-content.ts reads and deletes it. */
const sharedCacheName = 'lanewire-shared-1'

async function keepOfflinePage() {
  const cache = await caches.open(cacheName)
  const response = await fetch(offlinePage, { cache: 'reload' })
  if (!response.ok) throw new Error('The offline page could not be fetched')
  const html = await response.clone().text()
  const needed = [...html.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|svg|woff2))"/g)].map((match) => match[1])
  await cache.put(offlinePage, response)
  await cache.addAll([...new Set(needed)])
}

self.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name !== cacheName && name !== sharedCacheName).map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method === 'POST' && url.origin === location.origin && url.pathname === '/share')
    return event.respondWith(receiveShare(event))
  if (request.method === 'POST' && url.origin === location.origin && url.pathname === '/share/accept')
    return event.respondWith(acceptShare(request))
  if (request.method !== 'GET') return
  if (url.origin !== location.origin || /^\/(api|objects|socket\.io)(\/|$)/.test(url.pathname)) return
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match(offlinePage).then((kept) => kept || Response.error())))
    return
  }
  if (!/\.(css|js|svg|woff2)$/.test(url.pathname)) return
  event.respondWith(fetch(request).catch(() => caches.match(request).then((kept) => kept || Response.error())))
})

/** True for pages that cannot navigate to a notice's path: the job board, photos, other files. */
const isDeaf = ({ url }) => /^\/(api|objects|admin\/queues\/board)(\/|$)|\.[a-z\d]+$/i.test(new URL(url).pathname)

/** Focuses the most recently used tab and sends it the notice's path, or opens a new tab. */
async function followNotice(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = windows.find((one) => !isDeaf(one))
  if (!tab) return self.clients.openWindow(path)
  await tab.focus()
  tab.postMessage({ pressed: path })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(followNotice(event.notification.data?.path ?? '/'))
})

const nonsense = { title: 'Lanewire: something new', body: '', navigate: '/', tag: 'lanewire', silent: false }

/** The message as Declarative Web Push JSON. Browsers require a notification for every push, so nonsense shows one, too. */
function readPush(data) {
  try {
    const { notification, app_badge: badge } = data.json()
    if (typeof notification.title !== 'string' || notification.title === '') throw new TypeError('no title')
    return { notification: { ...nonsense, ...notification }, badge }
  } catch {
    return { notification: nonsense, badge: undefined }
  }
}

/** The path of an address of this site; `/` for any other. */
function pathOf(address) {
  try {
    const url = new URL(address, location.origin)
    const path = url.pathname + url.search + url.hash
    return url.origin === location.origin && /^\/(?!\/)/.test(path) ? path : '/'
  } catch {
    return '/'
  }
}

async function showBadge(count) {
  if (!('setAppBadge' in navigator) || !Number.isSafeInteger(count) || count < 0) return
  // Rejects if the app is not installed.
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined)
}

async function showPush(data) {
  const { notification, badge } = readPush(data)
  const { title, body, navigate, tag, silent } = notification
  await showBadge(badge)
  const icon = '/icons/icon-192.png'
  const look = { icon, badge: icon, data: { path: pathOf(navigate) } }
  // `renotify` without a tag is an error.
  await self.registration.showNotification(title, { ...look, body, tag, silent, renotify: !silent && tag !== '' })
}

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(event.data))
})

/** Registers the new subscription of a browser that has push on. Otherwise, the app does so at its next start. */
async function renewSubscription({ oldSubscription, newSubscription }) {
  const answer = await fetch('/api/push', { credentials: 'include' })
  if (!answer.ok) return
  const { publicKey, devices } = await answer.json()
  const device = devices.find(({ isCurrent }) => isCurrent)
  if (!device) return
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options))
  const { endpoint, keys } = subscription.toJSON()
  const replaces = oldSubscription?.endpoint
  await fetch('/api/push/devices', {
    method: 'PUT',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      endpoint,
      keys,
      label: device.label,
      hideContent: device.hideContent,
      ...(replaces && { replaces }),
    }),
  })
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event).catch(() => undefined))
})

const mb = 1024 * 1024
const shareLimits = { photos: 50, photoBytes: 10 * mb, totalBytes: 100 * mb, characters: 5000 }
const sharesKept = 3
const shareKeptMs = 24 * 60 * 60 * 1000

/** Sorts the photos of a share: those that fit, and how many are left out for which reason. */
function sortPhotos(files) {
  const photos = []
  const left = { tooLarge: 0, tooMany: 0 }
  let bytes = 0
  for (const file of files) {
    if (file.size > shareLimits.photoBytes) left.tooLarge += 1
    else if (photos.length >= shareLimits.photos || bytes + file.size > shareLimits.totalBytes) left.tooMany += 1
    else {
      photos.push(file)
      bytes += file.size
    }
  }
  return { photos, left }
}

const pathname = ({ url }) => new URL(url).pathname

async function removeShares(cache, paths) {
  for (const request of await cache.keys())
    if (paths.some((path) => pathname(request) === path || pathname(request).startsWith(`${path}/`)))
      await cache.delete(request)
}

/** Deletes old shares, so that at most `sharesKept` are left with the new one. Also those whose storing was cut off. */
async function makeRoom(cache) {
  const entries = await Promise.all(
    (await cache.keys())
      .filter((request) => /^\/share\/[^/]+$/.test(pathname(request)))
      .map(async (request) => ({ path: pathname(request), at: (await (await cache.match(request)).json()).at })),
  )
  // Keys come in the order of storing: of two shares in the same millisecond, the later one is newer.
  const newest = entries.reverse().sort((one, other) => other.at - one.at)
  const old = newest.filter(({ at }, index) => index >= sharesKept - 1 || Date.now() - at > shareKeptMs)
  await removeShares(
    cache,
    old.map(({ path }) => path),
  )
}

async function keepShare(form) {
  // Cuts a text. Removes half of a surrogate pair if the cut split a character.
  const words = (name) =>
    String(form.get(name) ?? '')
      .slice(0, shareLimits.characters)
      .replace(/[\uD800-\uDBFF]$/, '')
  const files = form.getAll('photos').filter((file) => file instanceof File && file.size > 0)
  const { photos, left } = sortPhotos(files)
  const path = `/share/${crypto.randomUUID()}`
  const cache = await caches.open(sharedCacheName)
  await makeRoom(cache)
  const about = {
    at: Date.now(),
    title: words('title'),
    text: words('text'),
    url: words('url'),
    photos: photos.length,
    left,
  }
  try {
    // Without content, the app ignores it. If this worker is ended meanwhile, `makeRoom` finds the photos by it.
    await cache.put(path, Response.json({ at: about.at }))
    for (const [index, photo] of photos.entries())
      await cache.put(
        `${path}/${index}`,
        new Response(photo, { headers: { 'content-type': photo.type, 'x-name': encodeURIComponent(photo.name) } }),
      )
    await cache.put(path, Response.json(about))
  } catch (error) {
    // For example because the disk is full.
    await removeShares(cache, [path])
    throw error
  }
  return path.slice('/share/'.length)
}

const openShare = (id) => Response.redirect(`/?share=${id}`, 303)

/** Shares of unknown origin wait here, in memory only, for the dealer's answer. */
const unanswered = new Map()
const answerMs = 4 * 60 * 1000

const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Asks whether the dealer has shared this, because another site can send the same form. */
const askAbout = (id, form) => {
  const text = String(form.get('text') || form.get('title') || '').trim()
  const photos = form.getAll('photos').filter((file) => file instanceof File && file.size > 0).length
  const count = photos === 0 ? '' : `<p>${photos} ${photos === 1 ? 'photo' : 'photos'}</p>`
  const quote = text === '' ? '' : `<blockquote>${escapeHtml([...text].slice(0, 200).join(''))}</blockquote>`
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Start a post? · Lanewire</title>
<meta name="viewport" content="width=device-width"><style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:auto;padding:1.5rem 1rem}h1{font-size:1.25rem}blockquote{margin:1rem 0;padding-left:.75rem;
border-left:3px solid;white-space:pre-wrap;overflow-wrap:anywhere}button,a{display:block;box-sizing:border-box;width:100%;
min-height:44px;margin-top:.75rem;padding:.6rem;border:1px solid;border-radius:8px;font:inherit;font-weight:600;text-align:center;
color:inherit;background:none;text-decoration:none}button{border:0;color:#fff;background:#006a87}</style>
<main><h1>Start a post with this?</h1><p>Continue only if you have just shared it with Lanewire from another app.</p>
${quote}${count}<form method="post" action="/share/accept"><input type="hidden" name="id" value="${id}"><button>Continue</button></form>
<a href="/">Discard</a></main></html>`
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  })
}

/** Keeps a share in memory while the dealer is asked. The newest replaces all others. */
function holdShare(form) {
  const id = crypto.randomUUID()
  unanswered.clear()
  unanswered.set(id, form)
  return id
}

/**
 * Keeps what another app shares with Lanewire, and opens the app with it. The share menu of a phone has no origin, like a site that hides
 * its own, so nothing is stored before the dealer's answer. A form of another site is refused.
 */
async function receiveShare(event) {
  const { request } = event
  const origin = request.headers.get('origin') ?? 'null'
  if (request.destination !== 'document' || (origin !== 'null' && origin !== location.origin)) return openShare('none')
  try {
    const form = await request.formData()
    if (origin === location.origin) return openShare(await keepShare(form))
    // Keeps the worker, and with it the share in its memory, while the dealer is asked.
    event.waitUntil(new Promise((resolve) => setTimeout(resolve, answerMs)))
    return askAbout(holdShare(form), form)
  } catch {
    return openShare('none')
  }
}

/** The dealer's answer to `askAbout`. Its page has this site's origin, so no other site can give it. */
async function acceptShare(request) {
  if (request.headers.get('origin') !== location.origin) return openShare('none')
  try {
    const id = String((await request.formData()).get('id'))
    const form = unanswered.get(id)
    unanswered.delete(id)
    return openShare(form ? await keepShare(form) : 'none')
  } catch {
    return openShare('none')
  }
}
