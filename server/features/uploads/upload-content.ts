import type { Readable } from 'node:stream'
import sharp from 'sharp'
import type { ObjectKind } from '#shared/schemas/objects.ts'
import { tooLarge, unsupportedMedia } from '#server/errors.ts'

/** Pictures we read. SVG is not among them: it can carry scripts. */
const pictureTypes: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heif: 'image/heif',
}

/** A picture of more pixels than this is a decompression bomb, not a photo. */
export const maxPixels = 100_000_000

const megabyte = 1024 * 1024

/** The whole body, or 413 as soon as it is longer than allowed. */
export async function readBody(body: Readable, declaredBytes: number | undefined, maxBytes: number): Promise<Buffer> {
  const refusal = () => tooLarge(`Files may have up to ${Math.floor(maxBytes / megabyte)} MB`)
  if (declaredBytes !== undefined && declaredBytes > maxBytes) {
    body.resume()
    throw refusal()
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw refusal()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

/**
 * What the bytes really are, whatever the client called them.
 * @throws 415 when the kind of upload does not take it
 */
export async function sniff(content: Buffer, kind: ObjectKind): Promise<string> {
  if (kind === 'sheet') return sheetType(content)
  if (kind === 'attachment' && content.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf'
  const format = await sharp(content, { limitInputPixels: maxPixels })
    .metadata()
    .then((metadata) => metadata.format)
    .catch(() => undefined)
  const type = format === undefined ? undefined : pictureTypes[format]
  if (type === undefined)
    throw unsupportedMedia(kind === 'photo' ? 'Please select only image files' : 'Attach an image or a PDF')
  return type
}

function sheetType(content: Buffer): string {
  if (content.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004')
    return 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  if (content.includes(0)) throw unsupportedMedia('Choose a CSV or XLSX file')
  return 'text/csv'
}
