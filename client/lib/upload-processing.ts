import { ApiError, call } from './api.ts'
import { listenToUpload, type UploadNews } from './upload.live.ts'

/** Without a socket, or after a missed event: soon at first, then for as long as it takes without being a burden. */
const lookAgainAfterMs = [2_000, 4_000, 4_000, 8_000, 15_000, 30_000] as const
const nothingNew: UploadNews = { state: 'stored', error: null }

/** It was never posted and has been swept, or it is not for this reader any more. */
export class UploadGone extends Error {
  constructor() {
    super('This photo is no longer available. Add it again')
  }
}

/** The id in an address of ours; undefined for a picture of elsewhere, or one that has not left this browser yet. */
export function objectIdOf(address: string): string | undefined {
  const url = new URL(address, location.href)
  return url.origin === location.origin ? /^\/api\/objects\/([^/]+)$/.exec(url.pathname)?.[1] : undefined
}

/**
 * Waits until the server has made the sizes of an uploaded picture. `onWaiting` is called when it says that it has not.
 * @throws UploadGone, Error with the server's reason when the picture cannot be used, or the signal's reason
 */
export async function untilProcessed(id: string, signal: AbortSignal, onWaiting?: () => void): Promise<void> {
  for (let look = 0; ; look += 1) {
    // Listening begins before the look: nothing can happen in between.
    const news = nextNews(id, lookAgainAfterMs[look] ?? Math.max(...lookAgainAfterMs), signal)
    const seen = lookUp(id, signal).then((found) => {
      if (found?.state === 'stored' && !signal.aborted) onWaiting?.()
      return found === undefined || found.state === 'stored' ? news : found
    })
    const { state, error } = await Promise.race([news, seen])
    signal.throwIfAborted()
    if (state === 'ready') return
    if (state === 'failed') throw new Error(error ?? 'This picture could not be used')
  }
}

/** Resolves with what the socket tells, or with nothing new when it is time to look again. */
function nextNews(id: string, lookAgainMs: number, signal: AbortSignal): Promise<UploadNews> {
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

/** What the server says now; undefined where it cannot be asked. */
async function lookUp(id: string, signal: AbortSignal): Promise<UploadNews | undefined> {
  try {
    return await call(`/api/objects/${encodeURIComponent(id)}/status`, { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new UploadGone()
    return undefined
  }
}
