import { formatDate, formatExactTime } from '#shared/format.ts'
import type { DealPaper, DocumentKind } from '#shared/schemas/deals.ts'

export interface PaperParty {
  role: string
  name: string
  dealershipName: string
  address: string
  license: string
  signature: { name: string; address: string; signedAt: Date } | undefined
}

/** The signed content stays the same in every version after the first signature. */
export interface PaperContent {
  vehicle: {
    title: string
    vin: string
    mileage: string
    /** Undefined in documents that were first signed before this field existed, because the signed text must not change. */
    mileageStatus?: string
    color: string
    location: string
  }
  price: string
  parties: Record<'seller' | 'buyer', Pick<PaperParty, 'name' | 'dealershipName' | 'address' | 'license'>>
}

export interface Paper extends Pick<PaperContent, 'vehicle' | 'price'> {
  kind: DocumentKind
  number: string
  version: number
  issuedAt: Date
  parties: PaperParty[]
}

export type PaperRow = DealPaper['vehicle'][number]

export const titles: Record<DocumentKind, string> = {
  bill_of_sale: 'Bill of Sale',
  odometer: 'Mileage statement between dealers',
}

const stamp = (at: Date) => `${formatDate(at, 'UTC')}, ${formatExactTime(at, 'UTC')} UTC`

const rowsOf = (all: Record<string, string>): PaperRow[] =>
  Object.entries(all).flatMap(([label, value]) => (value === '' ? [] : [{ label, value }]))

export const referenceOf = ({ number, version }: Paper): string => `${number}, version ${version}`

export const issuedText = ({ issuedAt }: Paper): string => `Issued ${stamp(issuedAt)}`

export const partyRows = ({ name, dealershipName, address, license }: PaperParty): PaperRow[] =>
  rowsOf({ Dealership: dealershipName, 'Represented by': name, Address: address, 'Dealer license': license })

export const vehicleRows = ({ vehicle }: Paper): PaperRow[] =>
  rowsOf({
    Vehicle: vehicle.title,
    VIN: vehicle.vin,
    Odometer: vehicle.mileage,
    'Mileage status': vehicle.mileageStatus ?? '',
    Color: vehicle.color,
    Location: vehicle.location,
  })

export const priceOf = ({ kind, price }: Paper): string | null => (kind === 'bill_of_sale' ? price : null)

export function signatureNote({ signature }: PaperParty): string {
  if (signature === undefined) return 'Not signed yet'
  const { address, signedAt } = signature
  // Demo dealers sign without an IP address.
  return `Signed electronically by typed name on ${stamp(signedAt)}${address && ` from ${address}`}`
}

function mileageStatement({ mileage, mileageStatus }: Paper['vehicle'], seller = 'The seller'): string {
  const reading = `${seller} states that the odometer of the vehicle described here reads ${mileage} (no tenths)`
  if (mileageStatus === undefined)
    return `${reading} and that, to the best of its knowledge, this reading is the actual mileage of the vehicle. Federal and state law require that the mileage be stated when ownership is transferred.`
  return `${reading}. Mileage status: ${mileageStatus}. This is a statement between dealers. It does not replace the odometer disclosure that is made on the title when ownership is transferred.`
}

export function statementOf({ kind, vehicle, price, parties }: Paper): string {
  const [seller, buyer] = parties
  if (kind === 'odometer') return mileageStatement(vehicle, seller?.dealershipName)
  return `For ${price}, ${seller?.dealershipName} sells and transfers the vehicle described here to ${buyer?.dealershipName}, states that it is the lawful owner with the right to sell it, and that it is free of liens other than those disclosed in writing. The vehicle is sold between dealers, as is, without warranty unless one is given in writing.`
}

/** Returns the preview of a document, which has the same content as its PDF. */
export function toDealPaper(paper: Paper): DealPaper {
  return {
    title: titles[paper.kind],
    reference: referenceOf(paper),
    issued: issuedText(paper),
    parties: paper.parties.map((party) => ({ role: party.role, rows: partyRows(party) })),
    vehicle: vehicleRows(paper),
    price: priceOf(paper),
    statement: statementOf(paper),
    signatures: paper.parties.map((party) => ({
      by: `${party.role}, ${party.dealershipName}`,
      name: party.signature?.name ?? null,
      note: signatureNote(party),
    })),
  }
}
