const marker = { soi: 0xd8, eoi: 0xd9, sos: 0xda } as const
/** Markers without a length: TEM, RST0 to RST7 and SOI (ITU-T T.81, table B.1). */
const loneMarkers = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, marker.soi])
/** Limits segments, so that a crafted file cannot take long. Pictures of cameras have fewer than a hundred. */
const segmentsMax = 2_000
/** Frames whose scans have no parameters: baseline and extended sequential (ITU-T T.81, B.2.2). */
const sequentialFrames = new Set([0xc0, 0xc1])
/** The parameters of a sequential scan: first coefficient, last coefficient, approximation. */
const scanParameters = [0, 63, 0]

const isMarker = (content: Buffer, at: number): boolean =>
  content[at] === 0xff && content[at + 1] !== undefined && content[at + 1] !== 0 && content[at + 1] !== 0xff

/**
 * Returns a JPEG without the faults that cameras and mail programs leave and every browser ignores: bytes between two
 * segments, scan parameters of Samsung cameras, and a missing end marker. Image data is not changed, so that a decoder
 * still notices that a part of it is missing. Returns the same buffer if it has more segments than a camera writes.
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
/** Some programs append data behind the end marker. */
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
