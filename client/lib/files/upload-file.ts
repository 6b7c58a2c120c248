import { photoMaxBytes, photoWidths } from '#shared/limits.ts'
import { ApiError, call, NetworkError } from '../http/api.ts'
import { assertPictureFits } from './picture-limit.ts'
import { PictureRefused } from './upload-processing.ts'
import type { UploadKind } from '#shared/schemas/uploads.ts'

const longestEdge = photoWidths.at(-1) ?? Number.POSITIVE_INFINITY
const worthScalingBytes = photoMaxBytes / 10
const jpegQuality = 0.88

/** Scales large photos down. Returns small files, GIFs and files that are not images unchanged. */
async function scaleDown(file: File): Promise<File> {
  if (!file.type.startsWith('image/') || file.type === 'image/gif' || typeof createImageBitmap !== 'function')
    return file
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!picture) return file
  try {
    const scale = Math.min(1, longestEdge / Math.max(picture.width, picture.height))
    if (scale === 1 && file.size <= worthScalingBytes) return file
    const blob = await draw(picture, scale)
    return blob && blob.size < file.size ? new File([blob], file.name, { type: blob.type }) : file
  } finally {
    picture.close()
  }
}

function draw(picture: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
}

/** True if the browser reports no type, but the file may be a picture. The server detects the type from the content. */
export const hasUnknownType = ({ type, name }: File): boolean =>
  type === '' && /^[^.]+$|\.(?:jpe?g|png|gif|webp|avif)$/i.test(name)

interface UploadOptions {
  kind: UploadKind
  onProgress?: (share: number) => void
  signal: AbortSignal
}

/** Checked in the client, because the server's message about an empty file would mention bytes. */
export const emptyFile = 'The file is empty'

/**
 * Requests an upload URL and PUTs the raw file to it.
 * @returns the URL without its query string, which stays valid
 * @throws ApiError, NetworkError, or an AbortError if `signal` aborts
 */
export async function uploadFile(chosen: File, { kind, onProgress, signal }: UploadOptions): Promise<string> {
  if (chosen.size === 0) throw new ApiError(400, '', emptyFile)
  const file = await scaleDown(chosen)
  await assertPictureFits(file)
  const body = { kind, bytes: file.size, ...(file.type && { contentType: file.type }) }
  const { uploadURL } = await call('/api/objects/upload', { method: 'POST', body, signal })
  await putFile(uploadURL, file, { onProgress, signal })
  return uploadURL.split('?')[0] ?? uploadURL
}

const tooLargeStatus = 413

/** True if the server would reject the same file again, because it is too large or its content cannot be used. */
export const isFinalRefusal = (error: unknown): boolean =>
  error instanceof PictureRefused || (error instanceof ApiError && error.status === tooLargeStatus)

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function putFile(
  url: string,
  file: File,
  { onProgress, signal }: { onProgress: UploadOptions['onProgress']; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.open('PUT', url)
    request.withCredentials = true
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.addEventListener('load', () =>
      request.status < 300 ? resolve() : reject(new ApiError(request.status, request.statusText, request.responseText)),
    )
    request.addEventListener('error', () => reject(new NetworkError(undefined)))
    request.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')))
    request.send(file)
  })
}
