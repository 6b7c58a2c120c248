import { ApiError, call } from '../http/api.ts'
import { listenToUpload, type UploadStatus } from './upload.live.ts'

/** Milliseconds between polls, which are needed if there is no socket or an event was missed. */
const pollDelaysMs = [2_000, 4_000, 4_000, 8_000, 15_000, 30_000] as const
const unchanged: UploadStatus = { state: 'stored', error: null }

/** Thrown if the photo was deleted because no post used it, or if the dealer may no longer see it. */
export class UploadGone extends Error {
  constructor() {
    super('This photo is no longer available. Add it again')
  }
}

/** Thrown if the server rejects the picture. Uploading it again would fail too. */
export class PictureRefused extends Error {}

/** Returns the object id in one of our own URLs. Returns undefined for other images, such as one that is not uploaded yet. */
export function objectIdOf(address: string): string | undefined {
  const url = new URL(address, location.href)
  return url.origin === location.origin ? /^\/api\/objects\/([^/]+)$/.exec(url.pathname)?.[1] : undefined
}

/**
 * Waits until the server has processed an uploaded image. Calls `onWaiting` if it is not processed yet.
 * @throws UploadGone, PictureRefused with the server's message, or the abort reason of `signal`
 */
export async function untilProcessed(id: string, signal: AbortSignal, onWaiting?: () => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    // Listen before fetching the status, so that no event in between is missed.
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

/** Resolves with the next event, or with `unchanged` once it is time to poll or `signal` aborts. */
function nextStatus(id: string, pollMs: number, signal: AbortSignal): Promise<UploadStatus> {
  return new Promise((resolve) => {
    const settle = (news: UploadStatus) => {
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

/** Returns undefined if the status could not be fetched. @throws UploadGone if the upload does not exist */
async function fetchStatus(id: string, signal: AbortSignal): Promise<UploadStatus | undefined> {
  try {
    return await call(`/api/objects/${encodeURIComponent(id)}/status`, { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new UploadGone()
    return undefined
  }
}
