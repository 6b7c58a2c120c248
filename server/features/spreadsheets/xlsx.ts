import { inflateRawSync } from 'node:zlib'
import { SheetRefused } from './sheet-refused.ts'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const endLength = 22
const entryLength = 46
const localLength = 30
const deflated = 8
/** What one part of the workbook may unpack to: a bomb stops here. */
const partMaxBytes = 64 * 1024 * 1024

/**
 * Rows of the first sheet of an XLSX workbook (ECMA-376), every cell as text. Our own: the maintained readers unpack a
 * workbook without a bound, and this one comes from a stranger's address.
 */
export function readXlsx(content: Buffer, maxRows: number): string[][] {
  const parts = listParts(content)
  const read = (name: string) => {
    const part = parts.get(name)
    return part === undefined ? undefined : part().toString('utf8')
  }
  const sheet = read('xl/worksheets/sheet1.xml') ?? read(firstSheetName([...parts.keys()]) ?? '')
  if (sheet === undefined) throw new SheetRefused('The workbook has no sheet')
  const shared = [...(read('xl/sharedStrings.xml') ?? '').matchAll(/<si\b[^>]*>(.*?)<\/si>/gs)].map(([, si]) =>
    textOf(si ?? ''),
  )
  const rows: string[][] = []
  for (const [, , cells] of sheet.matchAll(/<row\b([^>]*?)(?:\/>|>(.*?)<\/row>)/gs)) {
    if (rows.length >= maxRows) break
    rows.push(readRow(cells ?? '', shared))
  }
  return rows
}

function readRow(cells: string, shared: readonly string[]): string[] {
  const row: string[] = []
  for (const [, attributes = '', body = ''] of cells.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
    const column = columnOf(/\br="([A-Z]+)\d+"/.exec(attributes)?.[1]) ?? row.length
    while (row.length < column) row.push('')
    row[column] = cellText(/\bt="(\w+)"/.exec(attributes)?.[1], body, shared)
  }
  return row
}

function cellText(type: string | undefined, body: string, shared: readonly string[]): string {
  if (type === 'inlineStr') return textOf(body)
  const value = unescape(/<v\b[^>]*>(.*?)<\/v>/s.exec(body)?.[1] ?? '')
  if (type === 's') return shared[Number(value)] ?? ''
  return type === 'e' ? '' : value
}

/** `A` is 0, `AA` is 26. */
function columnOf(letters: string | undefined): number | undefined {
  if (letters === undefined || letters.length > 3) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** The text of a string item: its runs put together, phonetic hints left out. */
function textOf(xml: string): string {
  const plain = xml.replace(/<rPh\b.*?<\/rPh>/gs, '')
  return [...plain.matchAll(/<t\b[^>]*>(.*?)<\/t>/gs)].map(([, text]) => unescape(text ?? '')).join('')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, numeric: string | undefined, name: string) => {
    if (numeric === undefined) return entities[name] ?? whole
    const code = Number.parseInt(name, numeric === '#x' ? 16 : 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

function firstSheetName(names: readonly string[]): string | undefined {
  return names.filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)).toSorted()[0]
}

/** The archive's directory (PKWARE APPNOTE 4.3); parts are unpacked when asked for. */
function listParts(content: Buffer): Map<string, () => Buffer> {
  const end = content.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + endLength > content.length || content.readUInt32LE(end) !== endOfDirectory)
    throw new SheetRefused('The file is not a complete XLSX workbook')
  const parts = new Map<string, () => Buffer>()
  let offset = content.readUInt32LE(end + 16)
  for (let left = content.readUInt16LE(end + 10); left > 0 && offset + entryLength <= content.length; left--) {
    if (content.readUInt32LE(offset) !== directoryEntry) break
    const nameLength = content.readUInt16LE(offset + 28)
    const name = content.toString('utf8', offset + entryLength, offset + entryLength + nameLength)
    const entry = { method: content.readUInt16LE(offset + 10), bytes: content.readUInt32LE(offset + 20), at: content.readUInt32LE(offset + 42) } // prettier-ignore
    parts.set(name, () => unpack(content, entry))
    offset += entryLength + nameLength + content.readUInt16LE(offset + 30) + content.readUInt16LE(offset + 32)
  }
  return parts
}

function unpack(content: Buffer, { method, bytes, at }: { method: number; bytes: number; at: number }): Buffer {
  if (at + localLength > content.length) throw new SheetRefused('The file is not a complete XLSX workbook')
  const start = at + localLength + content.readUInt16LE(at + 26) + content.readUInt16LE(at + 28)
  const packed = content.subarray(start, start + bytes)
  if (method !== deflated) return packed
  try {
    return inflateRawSync(packed, { maxOutputLength: partMaxBytes })
  } catch {
    throw new SheetRefused('The workbook is damaged or too large')
  }
}
