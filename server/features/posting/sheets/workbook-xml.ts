import { SaxesParser } from 'saxes'
import { SheetRefused } from './sheet-bounds.ts'

/** Limits for untrusted files. Real workbooks have about a dozen levels and about a dozen attributes per element. */
const depthMax = 64
const attributesMax = 64

export const damaged = () =>
  new SheetRefused('The workbook is damaged. Open it in your spreadsheet program and save it again')

export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

export type ReadPart = (path: string | undefined, reader: XmlReader) => Promise<void>

/**
 * Parses a part while it is being unpacked. Rejects document types, which ECMA-376 (part 2) forbids, so that no entities can be declared.
 * @throws SheetRefused if the part is not well-formed or not produced by a spreadsheet program
 */
export async function readXml(part: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  const refuse = () => {
    throw damaged()
  }
  let depth = 0
  let attributes = 0
  // Keep to seven handlers: with eight, V8 turns the parser object into a dictionary, which makes it five times slower.
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('attribute', () => {
    if (++attributes > attributesMax) refuse()
  })
  parser.on('opentag', (tag) => {
    attributes = 0
    if (++depth > depthMax) refuse()
    reader.open?.(localName(tag.name), tag.attributes)
  })
  parser.on('text', (text) => reader.text?.(text))
  parser.on('cdata', (text) => reader.text?.(text))
  parser.on('closetag', (tag) => {
    depth--
    reader.close?.(localName(tag.name))
  })
  const decoder = new TextDecoder()
  for await (const chunk of part) parser.write(decoder.decode(chunk, { stream: true }))
  parser.write(decoder.decode()).close()
}

export const localName = (name: string) => name.slice(name.indexOf(':') + 1)

export const isOn = (flag: string | undefined) => flag === '1' || flag === 'true'
