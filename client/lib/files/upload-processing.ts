import { ApiError, call } from '../http/api.ts'
import { listenToUpload, type UploadNews } from './upload.live.ts'

/** Milliseconds between polls. Polling is the fallback for a missing socket and for missed events. */
const pollDelaysMs = [2_000, 4_000, 4_000, 8_000, 15_000, 30_000] as const
const unchanged: UploadNews = { state: 'stored', error: null }

/** The photo was never posted and has been deleted, or the dealer may no longer see it. */
export class UploadGone extends Error {
  constructor() {
    super('This photo is no longer available. Add it again')
  }
}

/** The server cannot use this picture. Uploading it again would fail the same way. */
export class PictureRefused extends Error {}

/** Returns the object id from one of our own URLs, or undefined for an external image or an image that is not uploaded yet. */
export function objectIdOf(address: string): string | undefined {
  const url = new URL(address, location.href)
  return url.origin === location.origin ? /^\/api\/objects\/([^/]+)$/.exec(url.pathname)?.[1] : undefined
}

/**
 * Waits until the server has resized an uploaded image. Calls `onWaiting` if the image is not ready yet.
 * @throws UploadGone, PictureRefused with the server's message, or the signal's abort reason
 */
export async function untilProcessed(id: string, signal: AbortSignal, onWaiting?: () => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    // Start listening before fetching the status, so that no event is missed in between.
    const news = nextStatus(id, pollDelaysMs[attempt] ?? Math.max(...pollDelaysMs), signal)
    const seen = fetchStatus(id, signal).then((found) => {
      if (found?.state === 'stored' && !signal.aborted) onWaiting?.()
      return found === undefined || found.state === 'stored' ? news : found
    })
    const { state, error } = await Promise.race([news, seen])
    signal.throwIfAborted()
    if (state === 'ready') return
    if (state === 'failed') throw new PictureRefused(error ?? 'This picture could not be used')
  }
}

/** Resolves with the next event, or with `unchanged` when it is time to poll. */
function nextStatus(id: string, pollMs: number, signal: AbortSignal): Promise<UploadNews> {
  return new Promise((resolve) => {
    const settle = (news: UploadNews) => {
      clearTimeout(timer)
      stop()
      signal.removeEventListener('abort', onPollDue)
      resolve(news)
    }
    const onPollDue = () => settle(unchanged)
    const timer = setTimeout(onPollDue, pollMs)
    const stop = listenToUpload(id, settle)
    signal.addEventListener('abort', onPollDue)
  })
}

/** Returns undefined if the server cannot be reached. */
async function fetchStatus(id: string, signal: AbortSignal): Promise<UploadNews | undefined> {
  try {
    return await call(`/api/objects/${encodeURIComponent(id)}/status`, { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new UploadGone()
    return undefined
  }
}
