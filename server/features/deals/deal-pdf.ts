import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import {
  issuedText,
  type Paper,
  type PaperRow,
  partyRows,
  priceOf,
  referenceOf,
  signatureNote,
  statementOf,
  titles,
  vehicleRows,
} from './paper-text.ts'

const { resolve } = createRequire(import.meta.url)
const file = (style: string) => resolve(`@expo-google-fonts/arimo/${style}/Arimo_${style}.ttf`)

/** Built-in PDF fonts, which cover Latin-1 only. */
const inner = { regular: 'Helvetica', bold: 'Helvetica-Bold', italic: 'Helvetica-Oblique' } as const

/** Fonts for all European letters, with the same metrics as the built-in fonts. */
const european = {
  regular: file('400Regular'),
  bold: file('700Bold'),
  italic: file('400Regular_Italic'),
} as const

type Face = keyof typeof inner

/** Reading font files takes 0.1 s, so they are used only if the text needs them. */
function facesFor(paper: object): Record<Face, string> {
  return /[\u0100-\uffff]/.test(JSON.stringify(paper)) ? european : inner
}

const unknown =
  /(?:[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}|\u200d|\ufe0f)+/gu
const blank = '\u25a1'

/** Replaces characters that the fonts cannot draw with a box. Some of them could also reverse the text direction. */
function legibleText(text: string): string {
  return text.normalize('NFC').replace(unknown, blank)
}

function legible<Value>(value: Value): Value {
  if (typeof value === 'string') return legibleText(value) as Value
  if (Array.isArray(value)) return value.map(legible) as Value
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, legible(part)])) as Value
}

const margin = 56
const gutter = 24
const sizes = { title: 22, price: 16, name: 14, text: 10, small: 8 } as const
const ink = '#121921'
const muted = '#5a626b'
const hair = '#c8ced5'
const footerHeight = 52
const labelWidth = 84
const rowGap = 5
const sectionGap = 22
const lineAboveText = 34

type Doc = InstanceType<typeof PDFDocument>

const widthOf = (doc: Doc) => doc.page.width - 2 * margin
const columnOf = (doc: Doc) => (widthOf(doc) - gutter) / 2

function rule(doc: Doc, x: number, y: number, width: number): void {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.75)
    .stroke(hair)
}

function heading(doc: Doc, text: string, x = margin): void {
  doc.font('bold').fontSize(sizes.text).fillColor(ink).text(text, x, doc.y)
  doc.y += rowGap
}

function row(doc: Doc, { label, value }: PaperRow, x: number, y: number, width: number): number {
  doc.font('regular').fontSize(sizes.text).fillColor(muted).text(label, x, y, { width: labelWidth })
  doc.fillColor(ink).text(value, x + labelWidth, y, { width: width - labelWidth })
  return doc.y + rowGap
}

function columns(doc: Doc, draw: ((x: number, width: number) => void)[]): void {
  const [top, width] = [doc.y, columnOf(doc)]
  const ends = draw.map((part, index) => {
    doc.y = top
    part(margin + index * (width + gutter), width)
    return doc.y
  })
  doc.x = margin
  doc.y = Math.max(...ends) + sectionGap
}

function letterhead(doc: Doc, paper: Paper): void {
  const width = widthOf(doc)
  doc.font('bold').fontSize(sizes.text).fillColor(muted).text('Lanewire', margin, margin)
  doc.font('regular').text(referenceOf(paper), margin, margin, { width, align: 'right' })
  doc
    .font('bold')
    .fontSize(sizes.title)
    .fillColor(ink)
    .text(titles[paper.kind], margin, margin + sectionGap)
  doc.font('regular').fontSize(sizes.small).fillColor(muted).text(issuedText(paper))
  rule(doc, margin, doc.y + rowGap, width)
  doc.y += sectionGap
}

function parties(doc: Doc, { parties: both }: Paper): void {
  columns(
    doc,
    both.map((party) => (x: number, width: number) => {
      heading(doc, party.role, x)
      let y = doc.y
      for (const each of partyRows(party)) y = row(doc, each, x, y, width)
      doc.y = y
    }),
  )
}

function vehicleTable(doc: Doc, paper: Paper): void {
  const width = widthOf(doc)
  heading(doc, 'Vehicle')
  for (const each of vehicleRows(paper)) {
    rule(doc, margin, doc.y, width)
    doc.y = row(doc, each, margin, doc.y + rowGap, width)
  }
  rule(doc, margin, doc.y, width)
  const price = priceOf(paper)
  if (price !== null) {
    const y = doc.y + rowGap * 2
    doc
      .font('regular')
      .fontSize(sizes.text)
      .fillColor(muted)
      .text('Price', margin, y + rowGap)
    doc.font('bold').fontSize(sizes.price).fillColor(ink).text(price, margin, y, { width, align: 'right' })
  }
  doc.y += sectionGap
}

function signatures(doc: Doc, { parties: both }: Paper): void {
  heading(doc, 'Signatures')
  columns(
    doc,
    both.map((party) => (x: number, width: number) => {
      const { y } = doc
      const { role, dealershipName, signature } = party
      if (signature !== undefined) {
        const fits = width / doc.font('italic').fontSize(sizes.name).widthOfString(signature.name)
        doc
          .fontSize(sizes.name * Math.min(1, fits))
          .fillColor(ink)
          .text(signature.name, x, y + rowGap * 2, { lineBreak: false })
      }
      rule(doc, x, y + lineAboveText, width)
      doc.font('regular').fontSize(sizes.text).fillColor(ink)
      doc.text(`${role}, ${dealershipName}`, x, y + lineAboveText + rowGap, { width })
      doc.fontSize(sizes.small).fillColor(muted).text(signatureNote(party), { width })
    }),
  )
}

function footer(doc: Doc, paper: Paper): void {
  const footerAt = doc.page.height - footerHeight
  rule(doc, margin, footerAt - rowGap * 2, widthOf(doc))
  doc.page.margins.bottom = 0
  doc
    .font('regular')
    .fontSize(sizes.small)
    .fillColor(muted)
    .text(`${titles[paper.kind]} ${referenceOf(paper)}. Generated by Lanewire from the deal's data.`, margin, footerAt)
}

async function drawScaled(paper: Paper, scale: number): Promise<{ pdf: Buffer; fits: boolean }> {
  const info = { Title: `${titles[paper.kind]} ${paper.number}`, CreationDate: paper.issuedAt, ModDate: paper.issuedAt }
  const doc = new PDFDocument({ size: 'LETTER', margin, info })
  let fits = true
  doc.on('pageAdded', () => (fits = false))
  // Enlarge the page by the inverse of the scale, so that the scaled content fills it.
  doc.scale(scale)
  doc.page.width /= scale
  doc.page.height /= scale
  for (const [face, source] of Object.entries(facesFor(paper))) doc.registerFont(face, source)
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  letterhead(doc, paper)
  parties(doc, paper)
  vehicleTable(doc, paper)
  heading(doc, 'Statement')
  doc.font('regular').fontSize(sizes.text).fillColor(ink).text(statementOf(paper), { lineGap: 2 })
  doc.y += sectionGap
  signatures(doc, paper)
  footer(doc, paper)
  doc.end()
  return { pdf: await done, fits }
}

/** Scales to try, in order, until long names and addresses fit. The last scale is small enough for the longest allowed input. */
const scales = [1, 0.9, 0.8, 0.7, 0.6] as const

/** Renders a document on one page. The same content always gives the same bytes, because all times come from the document. */
export async function drawPaper(written: Paper): Promise<Buffer> {
  const paper = legible(written)
  let drawn = await drawScaled(paper, scales[0])
  for (const scale of scales.slice(1)) if (!drawn.fits) drawn = await drawScaled(paper, scale)
  return drawn.pdf
}
