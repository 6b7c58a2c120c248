import { SheetRefused } from './sheet-bounds.ts'

/** Bytes 0x80 to 0x9F in Windows-1252. Its five undefined bytes become spaces. */
const windowsHigh = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
/** Bytes 0x80 to 0xFF in Mac Roman. */
const macHigh =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\ue000ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ'

/** Bytes 0x80 to 0xFF in code page 850, which DOS programs use. */
const dosHigh =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const sampleBytes = 4_096
/** Minimum share of zeros among the odd or even bytes of UTF-16 text, and maximum share among the other bytes. */
const zeroShareMin = 0.6
const zeroShareMax = 0.05

/**
 * Decodes UTF-16 or UTF-8. Lines that are not UTF-8 are decoded with a single-byte encoding.
 * @throws SheetRefused if the file is not text
 */
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

/** Detects UTF-16 by its byte order mark, or by zeros in every other byte, as in Latin text. */
function wideEncoding(content: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const mark = content.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  const sample = content.subarray(0, sampleBytes)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [first = 0, second = 0] = zeros.map((count) => (2 * count) / sample.length)
  if (second > zeroShareMin && first < zeroShareMax) return 'utf-16le'
  return first > zeroShareMin && second < zeroShareMax ? 'utf-16be' : undefined
}

function decodeUtf8(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

/** Decodes each line separately, so that one stray byte does not garble accents in other lines. */
function decodeLines(content: Buffer): string {
  const high = highOf(content.toString('latin1'))
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

/** Byte patterns that are typical of each encoding: accents within words, quotation marks and apostrophes. */
const signs: readonly (readonly [high: string, patterns: readonly RegExp[]])[] = [
  [
    windowsHigh,
    [
      /[a-z][\u00e0-\u00ff]/g,
      /[A-Z][\u00c0-\u00d1\u00d4\u00d6-\u00dc][A-Z]/g,
      /[A-Za-z]\u0092[A-Za-z]/g,
      /\u0093[^\n]{1,200}\u0094/g,
    ],
  ],
  [
    macHigh,
    [
      /[a-z][\u0087-\u0090]|[A-Z]\u0083[A-Z]/g,
      /[A-Za-z]\u00d5[a-z]|[A-Z]\u00d5S\b/g,
      /\u00d2[^\n]{1,200}\u00d3/g,
      / [\u00d0\u00d1] |(?:^|[ ",;\t])\u00a5 |[A-Za-z]\u00aa(?![a-z])/g,
    ],
  ],
  [dosHigh, [/[A-Za-z][\u0082\u0088\u008a]|[a-z]\u0087[a-z]|[A-Z]\u0090[A-Z]/g]],
]

/** Returns the upper half of the encoding whose patterns match most often. Defaults to Windows-1252. */
function highOf(bytes: string): string {
  const counts = signs.map(([, patterns]) =>
    patterns.reduce((sum, pattern) => sum + (bytes.match(pattern)?.length ?? 0), 0),
  )
  return signs[counts.indexOf(Math.max(...counts))]?.[0] ?? windowsHigh
}
