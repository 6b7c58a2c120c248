import { photoMaxBytes, photoWidths } from '#shared/limits.ts'

const longestEdge = photoWidths.at(-1) ?? Number.POSITIVE_INFINITY
const worthScalingBytes = photoMaxBytes / 10
const jpegQuality = 0.88

/** Phone photos are scaled down before they travel; what is small already, moves, or is no picture goes as it is. */
export async function scaleDown(file: File): Promise<File> {
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
