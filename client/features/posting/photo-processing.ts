import { ApiError, call } from '#client/lib/api.ts'
import type { ObjectStatus } from '#shared/schemas/objects.ts'
import { listenToUpload, type UploadNews } from './posting.live.ts'

/** Without a socket, or after a missed event. */
const lookAgainMs = 4_000
const nothingNew: UploadNews = { state: 'stored', error: null }

/**
 * Waits until the server has checked an uploaded photo and made its sizes.
 * @throws Error with the server's reason when the photo cannot be used, or the signal's reason
 */
export async function untilProcessed(url: string, signal: AbortSignal): Promise<void> {
  const id = url.split('/').at(-1) ?? ''
  for (;;) {
    // Listening begins before the look: nothing can happen in between.
    const news = nextNews(id, signal)
    const { state, error } = await Promise.race([news, lookUp(id, signal).then((seen) => seen ?? news)])
    signal.throwIfAborted()
    if (state === 'ready') return
    if (state === 'failed') throw new Error(error ?? 'This picture could not be read')
  }
}

/** Resolves with what the socket tells, or with nothing new when it is time to look again. */
function nextNews(id: string, signal: AbortSignal): Promise<UploadNews> {
  return new Promise((resolve) => {
    const settle = (news: UploadNews) => {
      clearTimeout(timer)
      stop()
      signal.removeEventListener('abort', give)
      resolve(news)
    }
    const give = () => settle(nothingNew)
    const timer = setTimeout(give, lookAgainMs)
    const stop = listenToUpload(id, settle)
    signal.addEventListener('abort', give)
  })
}

/** What the server says now, where that is the last word. */
async function lookUp(id: string, signal: AbortSignal): Promise<UploadNews | undefined> {
  try {
    const { state, error } = await call<ObjectStatus>(`/api/objects/${encodeURIComponent(id)}/status`, { signal })
    return state === 'ready' || state === 'failed' ? { state, error } : undefined
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return { state: 'failed', error: 'This photo is no longer there. Add it again' }
    return undefined
  }
}
