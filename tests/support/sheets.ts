import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { crc32, deflateRawSync } from 'node:zlib'
import type { Test } from 'tap'

export async function startWebsite(
  t: Test,
  listener: (...exchange: Parameters<RequestListener>) => unknown,
): Promise<string> {
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const relationships = (targets: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

interface Workbook {
  /** The XML rows of each sheet, in the order of the tabs. */
  sheets: readonly string[]
  tabs?: readonly string[]
  properties?: string
  strings?: string
  styles?: string
  parts?: Record<string, string>
}

/** Returns the files of an .xlsx workbook. Numbers the sheet files in reverse order of the tabs, as some programs do. */
export function workbookParts({ sheets, tabs = [], properties = '', strings, styles, parts }: Workbook) {
  const fileOf = (index: number) => `worksheets/sheet${sheets.length - index}.xml`
  const sheet = (_: string, index: number) =>
    `<sheet name="Tab ${index + 1}" sheetId="${index + 1}" ${tabs[index] ?? ''} r:id="rId${index + 1}"/>`
  return {
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><workbookPr ${properties}/><sheets>${sheets.map(sheet).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, index) => ['worksheet', fileOf(index)] as const),
      ...(strings === undefined ? [] : [['sharedStrings', '/xl/sharedStrings.xml'] as const]),
      ...(styles === undefined ? [] : [['styles', 'styles.xml'] as const]),
    ]),
    ...Object.fromEntries(
      sheets.map((rows, index) => [`xl/${fileOf(index)}`, `<worksheet><sheetData>${rows}</sheetData></worksheet>`]),
    ),
    ...(strings !== undefined && { 'xl/sharedStrings.xml': `<sst>${strings}</sst>` }),
    ...(styles !== undefined && { 'xl/styles.xml': `<styleSheet>${styles}</styleSheet>` }),
    ...parts,
  }
}

export const aWorkbook = (workbook: Workbook) => zip(workbookParts(workbook))

export function anXlsx(rows: readonly (readonly (string | number)[])[]): Buffer {
  const strings: string[] = []
  const cell = (value: string | number, column: number, row: number) => {
    const at = `${String.fromCharCode(65 + column)}${row}`
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
    return `<c r="${at}" t="s"><v>${strings.push(value) - 1}</v></c>`
  }
  const body = rows.map(
    (row, index) =>
      `<row r="${index + 1}">${row.map((value, column) => cell(value, column, index + 1)).join('')}</row>`,
  )
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return aWorkbook({
    sheets: [body.join('')],
    strings: strings.map((text) => `<si><t>${escape(text)}</t></si>`).join(''),
  })
}

/** Returns a ZIP archive. `sizes` are wrong file sizes to write into its headers. */
export function zip(files: Record<string, string>, sizes: Record<string, number> = {}): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(text), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(sizes[name] ?? Buffer.byteLength(text), 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), shared, tail, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}
