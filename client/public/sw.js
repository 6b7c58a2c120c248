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
    return event.respondWith(receiveShare(request))
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

/** Deletes old shares, so that at most `sharesKept` are left with the new one. */
async function makeRoom(cache) {
  const entries = await Promise.all(
    (await cache.keys())
      .filter((request) => /^\/share\/[^/]+$/.test(new URL(request.url).pathname))
      .map(async (request) => ({
        path: new URL(request.url).pathname,
        at: (await (await cache.match(request)).json()).at,
      })),
  )
  // Keys come in the order of storing: of two shares in the same millisecond, the later one is newer.
  const newest = entries.reverse().sort((one, other) => other.at - one.at)
  const old = newest.filter(({ at }, index) => index >= sharesKept - 1 || Date.now() - at > shareKeptMs)
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (old.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`))) await cache.delete(request)
  }
}

async function keepShare(form) {
  // Cuts a text. Removes half of a surrogate pair if the cut split a character.
  const words = (name) =>
    String(form.get(name) ?? '')
      .slice(0, shareLimits.characters)
      .replace(/[\uD800-\uDBFF]$/, '')
  const files = form.getAll('photos').filter((file) => file instanceof File && file.size > 0)
  const { photos, left } = sortPhotos(files)
  const id = crypto.randomUUID()
  const cache = await caches.open(sharedCacheName)
  await makeRoom(cache)
  for (const [index, photo] of photos.entries())
    await cache.put(
      `/share/${id}/${index}`,
      new Response(photo, { headers: { 'content-type': photo.type, 'x-name': encodeURIComponent(photo.name) } }),
    )
  const about = {
    at: Date.now(),
    title: words('title'),
    text: words('text'),
    url: words('url'),
    photos: photos.length,
    left,
  }
  // Last, so that the app never finds a share without its photos.
  await cache.put(`/share/${id}`, Response.json(about))
  return id
}

/** Keeps what another app shares with Lanewire, and opens the app with it. */
async function receiveShare(request) {
  const id = await request
    .formData()
    .then(keepShare)
    .catch(() => 'none')
  return Response.redirect(`/?share=${id}`, 303)
}
