import { SheetRefused } from './sheet-bounds.ts'

/** Bytes 0x80 to 0x9F in Windows-1252. Its five undefined bytes become spaces. */
const windowsHigh = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
/** Bytes 0x80 to 0xFF in Mac Roman. */
const macHigh =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\ue000ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ'

const sampleBytes = 4_096
/** Shares of zero bytes at odd or even positions. */
const mostly = 0.6
const hardly = 0.05

/** Decodes UTF-16, UTF-8, or line by line Windows-1252 or Mac Roman. @throws SheetRefused if the file is not text */
export function decodeText(content: Buffer): string {
  const wide = wideEncoding(content)
  if (wide !== undefined)
    return new TextDecoder(wide)
      .decode(content)
      .replace(/^\uFEFF+/, '')
      .replaceAll('\0', '')
  if (content.includes(0)) throw new SheetRefused('This is not a CSV or XLSX file')
  return (decodeUtf8(content) ?? decodeLines(content)).replace(/^\uFEFF+/, '')
}

/** Detects UTF-16 by its byte order mark, or because every other byte of Latin text is zero. */
function wideEncoding(content: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const mark = content.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  const sample = content.subarray(0, sampleBytes)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [first = 0, second = 0] = zeros.map((count) => (2 * count) / sample.length)
  if (second > mostly && first < hardly) return 'utf-16le'
  return first > mostly && second < hardly ? 'utf-16be' : undefined
}

function decodeUtf8(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

/** Decodes each line on its own, so that one stray byte does not garble accents in other lines. */
function decodeLines(content: Buffer): string {
  const high = isMacRoman(content.toString('latin1')) ? macHigh : windowsHigh
  const lines: string[] = []
  for (let start = 0; start < content.length;) {
    const end = content.indexOf(0x0a, start)
    const line = content.subarray(start, end < 0 ? content.length : end + 1)
    lines.push(decodeUtf8(line) ?? decodeHigh(line.toString('latin1'), high))
    start += line.length
  }
  return lines.join('')
}

const decodeHigh = (text: string, high: string): string =>
  text.replace(/[\u0080-\u00ff]/g, (byte) => high[byte.charCodeAt(0) - 0x80] ?? byte)

/** Compares accents after lowercase letters. Ignores bytes that are quotation marks and dashes in Windows-1252. */
const isMacRoman = (bytes: string): boolean =>
  (bytes.match(/[a-z][\u0087-\u0090]/g)?.length ?? 0) > (bytes.match(/[a-z][\u00e0-\u00ff]/g)?.length ?? 0)
