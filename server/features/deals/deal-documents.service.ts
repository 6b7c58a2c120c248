import { isDeepStrictEqual } from 'node:util'
import { type DealPaper, documentKinds, type DocumentKind } from '#shared/schemas/deals.ts'
import { formatMoney, formatVehicle, plural } from '#shared/format.ts'
import { trimTitle } from '#shared/visible-text.ts'
import { conflict, forbidden, notFound, type AppError } from '#server/errors.ts'
import { missingFor } from '#server/features/entitlements/entitlements.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  findDocument,
  findLastVersion,
  findParty,
  findPdf,
  insertDocument,
  insertSignature,
  listPapersOf,
  listSignatures,
  listSignaturesOf,
} from './deal-documents.repository.ts'
import { findDeal, insertStep, lockDeal, type DealRow, updateDealMileage } from './deals.repository.ts'
import { canBeCompleted, isParty, maySee } from './deals.policy.ts'
import { drawInThread } from './paper-drawing.ts'
import { type Paper, type PaperContent, toDealPaper } from './paper-text.ts'

/** Sellers cannot choose a mileage status yet, and "Actual" requires the seller's statement. */
const mileageStatus = 'status not stated'

async function contentOf(db: Db, deal: DealRow): Promise<PaperContent> {
  const [seller, buyer] = [await findParty(db, deal.sellerId), await findParty(db, deal.buyerId)]
  return {
    vehicle: {
      title: formatVehicle(deal),
      vin: deal.vin ?? '',
      mileage: deal.mileage === null ? 'not stated' : plural(deal.mileage, 'mile'),
      mileageStatus,
      color: deal.color ?? '',
      location: deal.location,
    },
    price: formatMoney(dollarsOf(deal.priceCents)),
    parties: { seller: toPaperParty(seller), buyer: toPaperParty(buyer) },
  }
}

const toPaperParty = (party: Awaited<ReturnType<typeof findParty>>): PaperContent['parties']['seller'] => ({
  name: party.name,
  dealershipName: party.dealershipName,
  address: [party.address, party.city, [party.state, party.zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
  license: party.licenseNumber ?? 'not given',
})

/** Issues a new version of a document. Once a party has signed, later versions keep the signed text. */
async function issue(tx: Tx, emit: Emit, dealId: string, kind: DocumentKind): Promise<void> {
  const deal = await findDeal(tx, dealId)
  if (deal === undefined) return
  const last = await findLastVersion(tx, dealId, kind)
  const isSigned = (await listSignatures(tx, dealId)).some((signature) => signature.kind === kind)
  const content = (isSigned && last?.content) || (await contentOf(tx, deal))
  const documentId = await insertDocument(tx, dealId, kind, content, last)
  await emit.job('deal.document', { documentId }, { uniqueKey: documentId })
}

export async function issueDocuments(tx: Tx, emit: Emit, dealId: string): Promise<void> {
  for (const kind of documentKinds) await issue(tx, emit, dealId, kind)
}

async function issueUnsigned(tx: Tx, emit: Emit, dealId: string): Promise<void> {
  const signed = new Set((await listSignatures(tx, dealId)).map(({ kind }) => kind))
  for (const kind of documentKinds) if (!signed.has(kind)) await issue(tx, emit, dealId, kind)
}

async function findPaper(db: Db, documentId: string): Promise<{ deal: DealRow; paper: Paper } | undefined> {
  const document = await findDocument(db, documentId)
  const deal = document && (await findDeal(db, document.dealId))
  if (document === undefined || deal === undefined) return undefined
  const { kind, number, version, createdAt } = document
  const { parties, ...content } = document.content ?? (await contentOf(db, deal))
  const signatures = await listSignaturesOf(db, { dealId: deal.id, kind, version })
  const signatureOf = (dealerId: string) => signatures.find((signature) => signature.dealerId === dealerId)
  const paper: Paper = {
    ...content,
    kind,
    number,
    version,
    issuedAt: createdAt,
    parties: [
      { role: 'Seller', ...parties.seller, signature: signatureOf(deal.sellerId) },
      { role: 'Buyer', ...parties.buyer, signature: signatureOf(deal.buyerId) },
    ],
  }
  return { deal, paper }
}

/** Generates the PDF. Returns undefined if the version no longer exists. */
export async function makeDocument(
  ctx: Context,
  documentId: string,
): Promise<{ deal: DealRow; pdf: Buffer } | undefined> {
  const found = await findPaper(ctx.db, documentId)
  return found && { deal: found.deal, pdf: await drawInThread(found.paper) }
}

/** Returns an error if the bill of sale is unsigned and neither party's plan includes it. Keeps the other party's plan private. */
export async function billOfSaleRefusal(
  db: Db,
  reader: string,
  { sellerId, buyerId }: { sellerId: string; buyerId: string },
  signatures: readonly { kind: string }[],
): Promise<AppError | undefined> {
  if (signatures.some(({ kind }) => kind === 'bill_of_sale')) return undefined
  const [seller, buyer] = [await missingFor(db, sellerId, 'billOfSale'), await missingFor(db, buyerId, 'billOfSale')]
  if (seller === undefined || buyer === undefined) return undefined
  return reader === sellerId ? seller : buyer
}

/** @throws 402 if a party requests the bill of sale, nobody has signed it, and neither party's plan includes it */
async function requirePlanFor(db: Db, actor: Actor, deal: DealRow, kind: DocumentKind): Promise<void> {
  if (kind !== 'bill_of_sale' || !isParty(actor, deal)) return
  const refusal = await billOfSaleRefusal(db, actor.dealerId, deal, await listSignatures(db, deal.id))
  if (refusal) throw refusal
}

/** @throws 404 unless the caller is a party or an admin; 402 as {@link requirePlanFor}; 409 while the PDF is being generated */
export async function readDocument({ db }: Pick<Context, 'db'>, actor: Actor, dealId: string, documentId: string) {
  const deal = await findDeal(db, dealId)
  if (deal === undefined || !maySee(actor, deal)) throw notFound('This document')
  const document = await findPdf(db, dealId, documentId)
  if (document === undefined) throw notFound('This document')
  await requirePlanFor(db, actor, deal, document.kind)
  if (document.pdf === null) throw conflict('This document is still being generated. Try again in a moment')
  return { name: `${document.number}-v${document.version}.pdf`, pdf: document.pdf }
}

/** Works even before the PDF is ready. @throws 404 unless the caller is a party or an admin; 402 as {@link requirePlanFor} */
export async function readPaper(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  dealId: string,
  documentId: string,
): Promise<DealPaper> {
  const found = await findPaper(db, documentId)
  if (found?.deal.id !== dealId || !maySee(actor, found.deal)) throw notFound('This document')
  await requirePlanFor(db, actor, found.deal, found.paper.kind)
  return toDealPaper(found.paper)
}

/** @throws 404 unless the caller is a party to the deal; 409 if the deal is not approved or the mileage is missing */
async function lockToSign(tx: Tx, actor: Actor, dealId: string, kind: DocumentKind) {
  const deal = await lockDeal(tx, dealId)
  if (deal === undefined || !isParty(actor, deal)) throw notFound('This deal')
  if (deal.status !== 'approved') throw conflict('Documents can be signed only while the deal is approved')
  if (kind === 'odometer' && deal.mileage === null)
    throw conflict('The mileage is missing. The seller must enter it before the mileage statement can be signed')
  return deal
}

/**
 * Signs a document with a typed name. Records the time and IP address, which the next version shows.
 * @throws 404 unless the caller is a party to the deal; 402 if neither party's plan includes the bill of sale; 409 if the deal is not
 * approved, the mileage is missing, the document has changed, or the dealer has already signed it
 */
export async function signDocument(
  ctx: Context,
  actor: Actor,
  dealId: string,
  kind: DocumentKind,
  by: { name: string; address: string },
): Promise<void> {
  const isNew = await ctx.transact(async (tx, emit) => {
    const deal = await lockToSign(tx, actor, dealId, kind)
    const before = await listSignatures(tx, dealId)
    const refusal = await billOfSaleRefusal(tx, actor.dealerId, deal, before)
    if (kind === 'bill_of_sale' && refusal) throw refusal
    if (await reissueChanged(tx, emit, dealId, kind)) return true
    const signature = { dealId, kind, dealerId: actor.dealerId, name: trimTitle(by.name), address: by.address }
    if (!(await insertSignature(tx, signature))) throw conflict('You have already signed this document')
    await insertStep(tx, { dealId, actorId: actor.dealerId, kind: `signed_${kind}` })
    await issue(tx, emit, dealId, kind)
    await touchInbox(tx, emit, [deal.sellerId, deal.buyerId], 'deal', dealId)
    const state = { ...deal, billOfSale: refusal === undefined }
    const isLast = !canBeCompleted({ ...state, signatures: before })
    if (actor.dealerId === deal.sellerId && isLast && canBeCompleted({ ...state, signatures: [...before, signature] }))
      await notifyBuyer(tx, emit, deal, 'Both dealers have signed: complete the deal', 'signed')
    return false
  })
  if (isNew) throw conflict('This document has changed since it was generated. Read the new version, then sign it')
}

/** Reissues an unsigned document if the deal or a party has changed, so that nobody signs text they have not read. */
async function reissueChanged(tx: Tx, emit: Emit, dealId: string, kind: DocumentKind): Promise<boolean> {
  if ((await listSignatures(tx, dealId)).some((signature) => signature.kind === kind)) return false
  const [deal, last] = [await findDeal(tx, dealId), await findLastVersion(tx, dealId, kind)]
  if (deal === undefined || !last?.content || isDeepStrictEqual(last.content, await contentOf(tx, deal))) return false
  await issue(tx, emit, dealId, kind)
  await touchInbox(tx, emit, [deal.sellerId, deal.buyerId], 'deal', dealId)
  return true
}

async function notifyBuyer(
  tx: Tx,
  emit: Emit,
  deal: NonNullable<Awaited<ReturnType<typeof lockDeal>>>,
  title: string,
  what: 'signed' | 'mileageGiven',
): Promise<void> {
  await notify(tx, emit, {
    dealerId: deal.buyerId,
    kind: 'deal',
    title,
    body: formatVehicle(deal),
    path: `/deals/${deal.id}`,
    actorId: deal.sellerId,
    despiteBlock: true,
    key: `deal:${deal.id}:${what}`,
  })
}

/** @throws 404 unless the caller is a party to the deal; 403 if it is the buyer; 409 if the mileage is already set or the deal is over */
export async function enterMileage(ctx: Context, actor: Actor, dealId: string, mileage: number): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const deal = await lockDeal(tx, dealId)
    if (deal === undefined || !isParty(actor, deal)) throw notFound('This deal')
    if (actor.dealerId !== deal.sellerId) throw forbidden('Only the seller can enter the mileage')
    if (deal.status !== 'pending' && deal.status !== 'approved') throw conflict('This deal is over')
    if (deal.mileage !== null) throw conflict('The mileage has already been entered')
    await updateDealMileage(tx, dealId, mileage)
    await insertStep(tx, { dealId, actorId: actor.dealerId, kind: 'mileage' })
    if (deal.status === 'approved') await issueUnsigned(tx, emit, dealId)
    await touchInbox(tx, emit, [deal.sellerId, deal.buyerId], 'deal', dealId)
    // If the deal is pending, the buyer is notified when it is approved.
    if (deal.status === 'approved')
      await notifyBuyer(tx, emit, deal, 'The mileage has been entered: sign the mileage statement', 'mileageGiven')
  })
}

export async function partiesWithoutLicense(
  db: Db,
  { sellerId, buyerId }: { sellerId: string; buyerId: string },
): Promise<('seller' | 'buyer')[]> {
  const [seller, buyer] = await Promise.all([findParty(db, sellerId), findParty(db, buyerId)])
  return [...(seller.licenseNumber ? [] : (['seller'] as const)), ...(buyer.licenseNumber ? [] : (['buyer'] as const))]
}

/** Iterates over the bills of sale and other papers of the dealer's deals. Loads each PDF only when it is read. */
export async function* papersOf(db: Db, dealerId: string) {
  for (const { id, dealId } of await listPapersOf(db, dealerId))
    yield { id, read: async () => (await findPdf(db, dealId, id))?.pdf ?? undefined }
}
