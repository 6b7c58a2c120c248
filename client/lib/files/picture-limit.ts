import { jpegPixelsMax, picturePixelsMax } from '#shared/limits.ts'
import { ApiError } from '../http/api.ts'

/** Bytes to read from the start of a file. The data before a picture's size, such as a color profile, is seldom longer. */
const headerBytes = 512 * 1024
const million = 1_000_000

interface HeaderSize {
  pixels: number
  max: number
}

/**
 * Rejects a picture that has more pixels than the server decodes. Accepts unknown formats, because the server checks every file anyway.
 * @throws ApiError 413 if the picture has too many pixels
 */
export async function assertPictureFits(file: File): Promise<void> {
  const header = new DataView(await file.slice(0, headerBytes).arrayBuffer())
  const size = pngSize(header) ?? gifSize(header) ?? jpegSize(header)
  if (size === undefined || size.pixels <= size.max) return
  const count = Math.ceil(size.pixels / million)
  throw new ApiError(413, '', `This picture has ${count} megapixels. The limit is ${size.max / million}`)
}

const beginsWith = (header: DataView, text: string): boolean =>
  header.byteLength > text.length && [...text].every((sign, at) => header.getUint8(at) === sign.charCodeAt(0))

function pngSize(header: DataView): HeaderSize | undefined {
  if (!beginsWith(header, '\u0089PNG\r\n\u001a\n') || header.byteLength < 24) return undefined
  return { pixels: header.getUint32(16) * header.getUint32(20), max: picturePixelsMax }
}

function gifSize(header: DataView): HeaderSize | undefined {
  if (!beginsWith(header, 'GIF8') || header.byteLength < 10) return undefined
  return { pixels: header.getUint16(6, true) * header.getUint16(8, true), max: picturePixelsMax }
}

/** True for the JPEG markers of segments that contain the picture's size (ITU-T T.81, table B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isSequential = (marker: number): boolean => marker === 0xc0 || marker === 0xc1

function jpegSize(header: DataView): HeaderSize | undefined {
  if (!beginsWith(header, '\u00ff\u00d8')) return undefined
  for (let at = 2; at + 9 <= header.byteLength;) {
    const marker = header.getUint8(at + 1)
    // Skip bytes between segments, as the server does.
    if (header.getUint8(at) !== 0xff || marker === 0 || marker === 0xff) at += 1
    else if (isFrame(marker)) {
      const pixels = header.getUint16(at + 5) * header.getUint16(at + 7)
      return { pixels, max: isSequential(marker) ? jpegPixelsMax : picturePixelsMax }
    } else at += 2 + header.getUint16(at + 2)
  }
  return undefined
}
