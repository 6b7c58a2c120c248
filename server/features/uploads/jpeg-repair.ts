const marker = { soi: 0xd8, eoi: 0xd9, sos: 0xda } as const
/** Markers without a length: TEM, RST0 to RST7 and SOI (ITU-T T.81, table B.1). */
const loneMarkers = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, marker.soi])
/** Limits the time that a crafted file can take. Camera pictures have fewer than a hundred segments. */
const segmentsMax = 2_000
/** Frame types whose scans have no variable parameters: baseline and extended sequential (ITU-T T.81, B.2.2). */
const sequentialFrames = new Set([0xc0, 0xc1])
/** Every sequential scan must have these parameters: first coefficient, last coefficient, approximation. */
const scanParameters = [0, 63, 0]

const isMarker = (content: Buffer, at: number): boolean =>
  content[at] === 0xff && content[at + 1] !== undefined && content[at + 1] !== 0 && content[at + 1] !== 0xff

/**
 * Repairs faults that every browser ignores: bytes between segments, wrong scan parameters from Samsung cameras, a missing end marker.
 * Does not change the image data, so that a decoder still notices missing parts.
 */
export function repairJpeg(content: Buffer): Buffer {
  const kept: Buffer[] = []
  let [at, isSequential] = [0, false]
  while (isMarker(content, at)) {
    const code = content[at + 1] ?? 0
    if (kept.length > segmentsMax) return content
    const hasLength = !loneMarkers.has(code) && at + 4 <= content.length
    const length = hasLength ? content.readUInt16BE(at + 2) : 0
    const segment = content.subarray(at, at + 2 + length)
    isSequential ||= sequentialFrames.has(code)
    if (code === marker.sos) {
      kept.push(isSequential ? withParameters(segment) : segment, content.subarray(at + segment.length))
      break
    }
    kept.push(segment)
    at = nextMarker(content, at + segment.length)
  }
  const body = kept.length > 0 ? kept : [content]
  return Buffer.concat(content.includes(endMarker, -trailerMax) ? body : [...body, endMarker])
}

const endMarker = Buffer.of(0xff, marker.eoi)
/** Some programs append data to a picture, so the end marker may be this many bytes before the end of the file. */
const trailerMax = 65_536

function nextMarker(content: Buffer, from: number): number {
  let at = from
  while (at < content.length && !isMarker(content, at)) at += 1
  return at
}

function withParameters(scan: Buffer): Buffer {
  const fixed = Buffer.from(scan)
  if (fixed.length > scanParameters.length) fixed.set(scanParameters, fixed.length - scanParameters.length)
  return fixed
}
