// Caches only the offline page and its files. API calls, sockets and uploads never pass through here.
const cacheName = 'lanewire-offline-1'
const offlinePage = '/offline'

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
      .then((names) => Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const url = new URL(request.url)
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
  event.waitUntil(followNotice(event.notification.data.path))
})
