import type { Readable } from 'node:stream'
import type { ObjectKind } from '#shared/schemas/uploads.ts'
import { tooLarge, unsupportedMedia } from '#server/errors.ts'

const textAt = (content: Buffer, start: number, end: number) => content.toString('latin1', start, end)

const brandsOf = (content: Buffer) =>
  textAt(content, 4, 8) === 'ftyp'
    ? (textAt(content, 8, Math.min(content.readUInt32BE(0), 64)).match(/.{4}/gs) ?? [])
    : []

/** Accepted picture types, recognized by their first bytes. SVG is excluded, because it can contain scripts. */
const signatures: [type: string, begins: (content: Buffer) => boolean][] = [
  ['image/jpeg', (content) => textAt(content, 0, 3) === '\xff\xd8\xff'],
  ['image/png', (content) => textAt(content, 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['image/gif', (content) => /^GIF8[79]a/.test(textAt(content, 0, 6))],
  ['image/webp', (content) => textAt(content, 0, 4) === 'RIFF' && textAt(content, 8, 12) === 'WEBP'],
  ['image/avif', (content) => brandsOf(content).some((brand) => brand === 'avif' || brand === 'avis')],
]

/** Brands of HEIC files: pictures, bursts and live photos from phones. AVIF shares some of these brands, so check for AVIF first. */
const heicBrands = /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/

const megabyte = 1024 * 1024

/** Reads a body to its end even if it is too large: a client that is cut off would never read the response. @throws 413 if too large */
export async function readBody(body: Readable, declaredBytes: number | undefined, maxBytes: number): Promise<Buffer> {
  const refusal = () => tooLarge(`Files can be up to ${Math.floor(maxBytes / megabyte)} MB`)
  if (declaredBytes !== undefined && declaredBytes > maxBytes) {
    body.resume()
    throw refusal()
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) chunks.length = 0
    else chunks.push(chunk)
  }
  if (bytes > maxBytes) throw refusal()
  return Buffer.concat(chunks, bytes)
}

const avatarTypes = new Set(['image/jpeg', 'image/png', 'image/gif'])
const refusals: Record<Exclude<ObjectKind, 'sheet'>, string> = {
  photo: 'Please select only image files',
  attachment: 'Attach an image or a PDF',
  avatar: 'Please choose a JPG, PNG or GIF image',
}

/** Detects the type by the first bytes. Never decodes a picture, which could expand to gigabytes. @throws 415 for an unaccepted type */
export function sniff(content: Buffer, kind: ObjectKind): string {
  if (kind === 'sheet') return sheetType(content)
  if (kind === 'attachment' && textAt(content, 0, 5) === '%PDF-') return 'application/pdf'
  const type = signatures.find(([, begins]) => begins(content))?.[0]
  if (type === undefined && brandsOf(content).some((brand) => heicBrands.test(brand)))
    throw unsupportedMedia('HEIC pictures are not supported. Save the picture as a JPG and choose that')
  if (type === undefined || (kind === 'avatar' && !avatarTypes.has(type))) throw unsupportedMedia(refusals[kind])
  return type
}

/** True if the text may be UTF-16: it has a byte order mark, or its zero bytes are all at odd or all at even offsets. */
function isWideText(content: Buffer): boolean {
  const [first, second] = content
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const sample = content.subarray(0, 512)
  const zeros = [...sample.keys()].filter((at) => sample[at] === 0)
  const odd = zeros.filter((at) => at % 2 === 1).length
  return zeros.length > sample.length / 4 && (odd === 0 || odd === zeros.length)
}

function sheetType(content: Buffer): string {
  if (textAt(content, 0, 4) === 'PK\u0003\u0004')
    return 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  // A zero byte does not rule out text: Excel saves "Unicode text" as UTF-16, where most letters have a zero byte.
  if (content.includes(0) && !isWideText(content)) throw unsupportedMedia('Choose a CSV or XLSX file')
  return 'text/csv'
}
