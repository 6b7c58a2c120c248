import sharp, { type Sharp } from 'sharp'
import { jpegPixelsMax, photoWidths, pictureFramesMax, picturePixelsMax } from '#shared/limits.ts'
import { repairJpeg } from './jpeg-repair.ts'

// To save memory, process one picture at a time, on one thread, without a cache. Only the picture job loads this module.
sharp.concurrency(1)
sharp.cache(false)

const webp = { quality: 78, effort: 2 } as const
const squareWidths = [96, 320] as const
const widestPhoto = Math.max(...photoWidths)
const widestSquare = Math.max(...squareWidths)
const million = 1_000_000

/** Thrown when a picture cannot be processed and a retry would not help. The uploader sees the message. */
export class PictureRefused extends Error {}

export interface PictureSizes {
  width: number
  height: number
  widths: number[]
  tint: string
  encode(width: number): Promise<Buffer>
}

/** Rotates a picture upright, removes its metadata and prepares its sizes. @throws PictureRefused if it is broken or too large */
export async function readPicture(content: Buffer, { square }: { square: boolean }): Promise<PictureSizes> {
  const isJpeg = await assertWithinLimits(content)
  const repaired = isJpeg ? repairJpeg(content) : content
  // Check again, because the repair may have exposed a different header with a larger size.
  if (isJpeg) await assertWithinLimits(repaired)
  const fit = square
    ? { width: widestSquare, height: widestSquare, fit: 'cover' as const }
    : { width: widestPhoto, withoutEnlargement: true }
  // Scale a JPEG down while decoding it, so that the whole picture is never in memory.
  const decode = (picture: Buffer, failOn: 'error' | 'warning') =>
    sharp(picture, { failOn, limitInputPixels: jpegPixelsMax, pages: 1 })
      .rotate()
      .resize(fit)
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
  const decoded = isJpeg ? decodeJpeg(repaired, decode) : decode(content, 'error')
  const { data, info } = await decoded.catch(refuseUnreadable)
  const { width, height, channels } = info
  const raw = { width, height, channels }
  return {
    width,
    height,
    widths: square ? [...squareWidths] : [...photoWidths.filter((narrower) => narrower < width), width],
    tint: await tintOf(sharp(data, { raw })),
    encode: (wanted) => sharp(data, { raw }).resize({ width: wanted }).webp(webp).toBuffer(),
  }
}

/** Returns the average color as `#rrggbb`. Transparent pixels count as white. */
export async function tintOf(picture: Sharp): Promise<string> {
  const white = { background: '#fff' }
  const pixel = await picture.flatten(white).resize(1, 1, { fit: 'fill' }).toColourspace('srgb').raw().toBuffer()
  return `#${Buffer.from([pixel[0] ?? 0, pixel[1] ?? pixel[0] ?? 0, pixel[2] ?? pixel[0] ?? 0]).toString('hex')}`
}

/** Fails if image data is missing. The decoder reports only the first warning, so decode again after a harmless warning. */
async function decodeJpeg<Picture>(
  content: Buffer,
  decode: (content: Buffer, failOn: 'error' | 'warning') => Promise<Picture>,
): Promise<Picture> {
  try {
    return await decode(content, 'warning')
  } catch (error) {
    if (!(error instanceof Error) || /premature|bad huff|memory/i.test(error.message)) throw error
    return decode(content, 'error')
  }
}

/** Returns true for a JPEG. Other types and progressive JPEGs have a lower limit, because they are decoded at full size. */
async function assertWithinLimits(content: Buffer): Promise<boolean> {
  // Read only the header, without a limit, so that the error can state the size.
  const {
    width,
    height,
    format,
    isProgressive = false,
    pages = 1,
  } = await sharp(content, { limitInputPixels: false }).metadata().catch(refuseUnreadable)
  const isJpeg = format === 'jpeg'
  const pixelsMax = isJpeg && !isProgressive ? jpegPixelsMax : picturePixelsMax
  if (width * height > pixelsMax)
    throw new PictureRefused(
      `This picture has ${Math.ceil((width * height) / million)} megapixels. The limit is ${pixelsMax / million}`,
    )
  if (pages > pictureFramesMax)
    throw new PictureRefused(`This animation has ${pages} frames. The limit is ${pictureFramesMax}`)
  return isJpeg
}

/** Throws PictureRefused for a broken picture, so that it is not retried. Other errors, such as low memory, are retried. */
function refuseUnreadable(error: unknown): never {
  if (
    error instanceof Error &&
    /unsupported|corrupt|premature|invalid|bad huff|bad seek|exceeds pixel limit|read error|unable to read|crc error/i.test(
      error.message,
    )
  )
    throw new PictureRefused('This picture could not be read')
  throw error
}
