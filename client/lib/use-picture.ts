import { useEffect, useState } from 'react'
import { objectIdOf, untilProcessed, UploadGone } from './upload-processing.ts'

/** What a picture's place shows; `reason` is there for its owner. */
export type PictureState = { is: 'shown' | 'missing' | 'preparing' } | { is: 'failed'; reason: string }

const askAgainAfterMs = [3_000, 10_000, 30_000, 60_000, 120_000]

/**
 * How it is with the picture at an address. One that the server is still preparing fills in by itself, told by a live
 * event or by asking. One that did not arrive is asked for again a few times: the server may only have been away.
 */
export function usePicture(src: string): { state: PictureState; onError: () => void } {
  const [state, setState] = useState<PictureState>({ is: 'shown' })
  const [failures, setFailures] = useState(0)
  const isShown = state.is === 'shown'
  useEffect(() => {
    if (isShown || failures === 0) return
    const controller = new AbortController()
    const show = (next: PictureState) => controller.signal.aborted || setState(next)
    worthAnotherTry(src, failures, controller.signal, () => show({ is: 'preparing' })).then(
      (isWorthIt) => isWorthIt && show({ is: 'shown' }),
      (error: Error) => show({ is: 'failed', reason: error instanceof UploadGone ? 'No longer there' : error.message }),
    )
    return () => controller.abort()
  }, [src, failures, isShown])
  const onError = () => {
    setState({ is: 'missing' })
    setFailures((before) => before + 1)
  }
  return { state, onError }
}

/** Resolves when the picture can be asked for again; with false when it has been often enough. */
async function worthAnotherTry(
  src: string,
  failures: number,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<boolean> {
  const id = objectIdOf(src)
  if (id !== undefined) await untilProcessed(id, signal, onWaiting)
  // Most often one of ours was not ready the first time, and is now.
  const pauses = id === undefined ? askAgainAfterMs : [0, ...askAgainAfterMs]
  const wait = pauses[failures - 1]
  if (wait === undefined) return false
  await pause(wait, signal)
  return true
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}
