import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { crc32, deflateRawSync } from 'node:zlib'
import type { Test } from 'tap'

/** A web server of somebody else's, on loopback. Answers its `host:port`. */
export async function startWebsite(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A workbook with one sheet of inline and shared strings, as a spreadsheet program writes it. */
export function anXlsx(rows: readonly (readonly (string | number)[])[]): Buffer {
  const strings: string[] = []
  const cell = (value: string | number, column: number, row: number) => {
    const at = `${String.fromCharCode(65 + column)}${row}`
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
    return `<c r="${at}" t="s"><v>${strings.push(value) - 1}</v></c>`
  }
  const body = rows.map((row, index) => `<row r="${index + 1}">${row.map((value, column) => cell(value, column, index + 1)).join('')}</row>`) // prettier-ignore
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return zip({
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${body.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${escape(text)}</t></si>`).join('')}</sst>`,
  })
}

function zip(files: Record<string, string>): Buffer {
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
    shared.writeUInt32LE(Buffer.byteLength(text), 18)
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
