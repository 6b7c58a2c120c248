import { posix } from 'node:path'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { formatNumber } from '#shared/format.ts'
import { SheetBudget, SheetRefused, type SheetTable } from './sheet-bounds.ts'
import type { Columns } from './sheet-columns.ts'
import { findHeading, visibleRows } from './sheet-rows.ts'
import { readCells, readStrings } from './workbook-cells.ts'
import { readFormats } from './workbook-formats.ts'
import { damaged, isOn, localName, readXml, type ReadPart } from './workbook-xml.ts'

/** Maximum number of files in the archive. Even a workbook full of sheets and pictures has only a few hundred. */
const partsMax = 2_000
const sheetsMax = 50

/** Reads the first visible sheet that lists vehicles, or else any sheet, as text (ECMA-376). @throws SheetRefused if there is none */
export async function readWorkbook(content: Buffer): Promise<SheetTable> {
  const read = await openParts(content)
  const roots = await readRelations(read, '')
  const path = roots.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const { sheets, from1904 } = await readSheetList(read, path)
  const relations = await readRelations(read, path)
  const worksheets = sheets.flatMap(({ relation, hidden, name }) => {
    const found = relations.find(({ id, type }) => id === relation && type === 'worksheet')
    return found === undefined ? [] : { path: found.path, hidden, name }
  })
  const visible = worksheets.filter(({ hidden }) => !hidden)
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.path
  const strings = await readStrings(read, partOf('sharedStrings'))
  const formats = await readFormats(read, partOf('styles'))
  const found: SheetTable[] = []
  for (const sheet of (visible.length > 0 ? visible : worksheets).slice(0, sheetsMax)) {
    const table = await readCells(read, sheet.path, { strings, formats, from1904 })
    const columns = findHeading(visibleRows(table))?.columns
    const otherSheets = visible.filter((other) => other !== sheet).map(({ name }) => name)
    if (columns !== undefined && describesVehicles(columns)) return { ...table, otherSheets }
    // Use a summary sheet only if no sheet lists vehicles.
    if (columns === undefined) found.push(table)
    else if (found[0]?.otherSheets === undefined) found.unshift({ ...table, otherSheets })
  }
  const [best] = found
  if (best === undefined) throw new SheetRefused('This is not an XLSX workbook. Save it as XLSX or CSV')
  return best
}

const facts = ['vin', 'year', 'mileage', 'price', 'trim', 'color', 'notes'] as const

/** True if the columns include details of a vehicle. False for a summary that only counts makes and models. */
const describesVehicles = (columns: Columns): boolean => facts.some((name) => columns.has(name))

/** Opens the archive. Parts are unpacked as they are read, within a shared budget. */
async function openParts(content: Buffer): Promise<ReadPart> {
  const budget = new SheetBudget()
  const parts = new Map<string, Entry>()
  const archive = await openArchive(content, parts)
  return async (path, reader) => {
    const part = path === undefined ? undefined : parts.get(path.toLowerCase())
    if (part === undefined) return
    budget.take(part.uncompressedSize)
    await readXml(unpack(archive, part), reader)
  }
}

async function openArchive(content: Buffer, parts: Map<string, Entry>): Promise<ZipFile> {
  try {
    const archive = await fromBufferPromise(content)
    if (archive.entryCount > partsMax)
      throw new SheetRefused(`The workbook has more than ${formatNumber(partsMax)} parts`)
    for await (const entry of archive.eachEntry()) parts.set(entry.fileName.toLowerCase(), entry)
    return archive
  } catch (error) {
    throw error instanceof SheetRefused ? error : damaged()
  }
}

/** Unpacks a part. @throws SheetRefused if the part is longer than the archive's directory declares */
async function* unpack(archive: ZipFile, part: Entry): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await archive.openReadStreamPromise(part)) yield chunk as Buffer
  } catch {
    throw damaged()
  }
}

interface Relation {
  id: string
  /** Last segment of the type URL. The rest of the URL differs in strict workbooks. */
  type: string
  path: string
}

async function readRelations(read: ReadPart, path: string): Promise<Relation[]> {
  const relations: Relation[] = []
  const folder = posix.dirname(path)
  await read(posix.join(folder, '_rels', `${posix.basename(path)}.rels`), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return
      const absolute = posix.join('/', target.startsWith('/') ? '' : folder, target)
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path: absolute.slice(1) })
    },
  })
  return relations
}

async function readSheetList(read: ReadPart, path: string) {
  const sheets: { relation: string | undefined; hidden: boolean; name: string }[] = []
  let from1904 = false
  await read(path, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = isOn(attributes['date1904'])
      if (name !== 'sheet') return
      // Ignore the namespace prefix of `r:id`, because it is arbitrary.
      const key = Object.keys(attributes).find((attribute) => attribute !== 'id' && localName(attribute) === 'id')
      const state = attributes['state'] ?? 'visible'
      const relation = key === undefined ? undefined : attributes[key]
      sheets.push({ relation, hidden: state !== 'visible', name: attributes['name'] ?? '' })
    },
  })
  return { sheets, from1904 }
}
