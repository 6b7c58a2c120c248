import { useEffect, useState } from 'react'
import { objectIdOf, untilProcessed, UploadGone } from './upload-processing.ts'

export type PictureState = { is: 'shown' | 'missing' | 'preparing' } | { is: 'failed'; reason: string }

const retryDelaysMs = [3_000, 10_000, 30_000, 60_000, 120_000]

/** Returns the loading state of an image. If the image fails to load, waits until the server has processed it and retries a few times. */
export function usePicture(src: string): { state: PictureState; onError: () => void } {
  const [state, setState] = useState<PictureState>({ is: 'shown' })
  const [failures, setFailures] = useState(0)
  const isShown = state.is === 'shown'
  useEffect(() => {
    if (isShown || failures === 0) return
    const controller = new AbortController()
    const show = (next: PictureState) => controller.signal.aborted || setState(next)
    shouldRetry(src, failures, controller.signal, () => show({ is: 'preparing' })).then(
      (isWorthIt) => isWorthIt && show({ is: 'shown' }),
      (error: Error) =>
        show({ is: 'failed', reason: error instanceof UploadGone ? 'No longer available' : error.message }),
    )
    return () => controller.abort()
  }, [src, failures, isShown])
  const onError = () => {
    setState({ is: 'missing' })
    setFailures((before) => before + 1)
  }
  return { state, onError }
}

async function shouldRetry(
  src: string,
  failures: number,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<boolean> {
  const id = objectIdOf(src)
  if (id !== undefined) await untilProcessed(id, signal, onWaiting)
  // Retry our own images immediately, because the server has processed them by now.
  const pauses = id === undefined ? retryDelaysMs : [0, ...retryDelaysMs]
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
