import PDFDocument from 'pdfkit'
import type { DocumentKind } from '#shared/schemas/deals.ts'

export interface PaperParty {
  role: string
  name: string
  dealershipName: string
  address: string
  license: string
  signature: { name: string; address: string; signedAt: Date } | undefined
}

/** Everything a paper says, as text. */
export interface Paper {
  kind: DocumentKind
  number: string
  version: number
  issuedAt: Date
  vehicle: { title: string; vin: string; mileage: string; color: string; location: string }
  price: string
  parties: PaperParty[]
}

const titles: Record<DocumentKind, string> = {
  bill_of_sale: 'Bill of Sale',
  odometer: 'Odometer Disclosure Statement',
}

const margin = 56
const sizes = { title: 20, heading: 11, text: 10, small: 8 } as const
const ink = '#121921'
const muted = '#5a626b'

const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`

type Doc = InstanceType<typeof PDFDocument>

function heading(doc: Doc, text: string): void {
  doc.moveDown(1).font('Helvetica-Bold').fontSize(sizes.heading).fillColor(ink).text(text).moveDown(0.3)
  doc.font('Helvetica').fontSize(sizes.text)
}

function line(doc: Doc, label: string, value: string): void {
  doc
    .fillColor(muted)
    .text(`${label}: `, { continued: true })
    .fillColor(ink)
    .text(value === '' ? '-' : value)
}

function statement({ kind, vehicle, price, parties }: Paper): string {
  const [seller, buyer] = parties
  if (kind === 'odometer')
    return `${seller?.dealershipName} states that the odometer of the vehicle described here reads ${vehicle.mileage} (no tenths) and that, to the best of its knowledge, this reading is the actual mileage of the vehicle. Federal and state law require that the mileage be stated when ownership is transferred.`
  return `For ${price}, ${seller?.dealershipName} sells and transfers the vehicle described here to ${buyer?.dealershipName}, states that it is the lawful owner with the right to sell it, and that it is free of liens other than those disclosed in writing. The vehicle is sold between dealers, as is, without warranty unless one is given in writing.`
}

function signatures(doc: Doc, parties: PaperParty[]): void {
  heading(doc, 'Signatures')
  for (const { role, signature } of parties) {
    line(doc, role, signature === undefined ? 'not signed yet' : signature.name)
    if (signature !== undefined)
      doc
        .fontSize(sizes.small)
        .fillColor(muted)
        .text(`Signed electronically by typed name on ${stamp(signature.signedAt)} from ${signature.address}`)
        .fontSize(sizes.text)
    doc.moveDown(0.5)
  }
}

/** Draws a paper. The same content gives the same bytes: its times come from the deal, not from now. */
export async function drawPaper(paper: Paper): Promise<Buffer> {
  const info = { Title: `${titles[paper.kind]} ${paper.number}`, CreationDate: paper.issuedAt, ModDate: paper.issuedAt }
  const doc = new PDFDocument({ size: 'LETTER', margin, info })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  doc.font('Helvetica-Bold').fontSize(sizes.title).fillColor(ink).text(titles[paper.kind])
  doc
    .font('Helvetica')
    .fontSize(sizes.text)
    .fillColor(muted)
    .text(`No. ${paper.number}, version ${paper.version}, ${stamp(paper.issuedAt)}`)
  for (const party of paper.parties) {
    heading(doc, party.role)
    line(doc, 'Dealership', party.dealershipName)
    line(doc, 'Represented by', party.name)
    line(doc, 'Address', party.address)
    line(doc, 'Dealer license', party.license)
  }
  heading(doc, 'Vehicle')
  line(doc, 'Vehicle', paper.vehicle.title)
  line(doc, 'VIN', paper.vehicle.vin)
  line(doc, 'Odometer', paper.vehicle.mileage)
  line(doc, 'Color', paper.vehicle.color)
  line(doc, 'Location', paper.vehicle.location)
  if (paper.kind === 'bill_of_sale') line(doc, 'Price', paper.price)
  heading(doc, 'Statement')
  doc.fillColor(ink).text(statement(paper), { align: 'left', lineGap: 2 })
  signatures(doc, paper.parties)
  doc.end()
  return done
}
