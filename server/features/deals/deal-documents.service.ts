import { documentKinds, type DocumentKind } from '#shared/schemas/deals.ts'
import { formatMoney, formatNumber, formatVehicle } from '#shared/format.ts'
import { conflict, forbidden, notFound, type AppError } from '#server/errors.ts'
import { missingFor } from '#server/features/billing/billing.policy.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
import type { Paper, PaperParty } from './deal-pdf.ts'
import {
  findDocument,
  findParty,
  findPdf,
  insertDocument,
  insertSignature,
  listPapersOf,
  listSignatures,
} from './deal-documents.repository.ts'
import { findDeal, insertStep, lockDeal, type DealRow, updateDealMileage } from './deals.repository.ts'
import { canBeCompleted, isParty, maySee } from './deals.policy.ts'
import { drawApart } from './paper-drawing.ts'

async function issue(tx: Tx, emit: Emit, dealId: string, kind: DocumentKind): Promise<void> {
  const documentId = await insertDocument(tx, dealId, kind)
  await emit.job('deal.document', { documentId }, { uniqueKey: documentId })
}

/** The papers of an approved deal, in their first version. */
export async function issueDocuments(tx: Tx, emit: Emit, dealId: string): Promise<void> {
  for (const kind of documentKinds) await issue(tx, emit, dealId, kind)
}

async function partyOf(db: Db, deal: DealRow, role: 'Seller' | 'Buyer', kind: string): Promise<PaperParty> {
  const dealerId = role === 'Seller' ? deal.sellerId : deal.buyerId
  const party = await findParty(db, dealerId)
  const signature = (await listSignatures(db, deal.id)).find((one) => one.kind === kind && one.dealerId === dealerId)
  return {
    role,
    name: party.name,
    dealershipName: party.dealershipName,
    address: [party.address, party.city, [party.state, party.zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
    license: party.licenseNumber ?? 'not given',
    signature,
  }
}

/** Draws a version of a paper from the deal as it stands. Undefined when it is gone. */
export async function makeDocument(
  ctx: Context,
  documentId: string,
): Promise<{ deal: DealRow; pdf: Buffer } | undefined> {
  const document = await findDocument(ctx.db, documentId)
  const deal = document && (await findDeal(ctx.db, document.dealId))
  if (document === undefined || deal === undefined) return undefined
  const paper: Paper = {
    kind: document.kind,
    number: document.number,
    version: document.version,
    issuedAt: document.createdAt,
    vehicle: {
      title: formatVehicle(deal),
      vin: deal.vin ?? '',
      mileage: deal.mileage === null ? 'not stated' : `${formatNumber(deal.mileage)} miles`,
      color: deal.color ?? '',
      location: deal.location,
    },
    price: formatMoney(dollarsOf(deal.priceCents)),
    parties: [
      await partyOf(ctx.db, deal, 'Seller', document.kind),
      await partyOf(ctx.db, deal, 'Buyer', document.kind),
    ],
  }
  return { deal, pdf: await drawApart(paper) }
}

/**
 * Why the parties have no bill of sale: the caller's own refusal, for nobody learns what plan the other has. Undefined where either
 * party's plan has it, and for good once one of them has signed it.
 */
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

/**
 * A paper's PDF, for the parties and admins.
 * @throws 404 for everybody else, 409 while it is being made, 402 for a bill of sale that neither party's plan has
 */
export async function readDocument(ctx: Context, actor: Actor, dealId: string, documentId: string) {
  const deal = await findDeal(ctx.db, dealId)
  if (deal === undefined || !maySee(actor, deal)) throw notFound('This document')
  const document = await findPdf(ctx.db, dealId, documentId)
  if (document === undefined) throw notFound('This document')
  if (document.kind === 'bill_of_sale' && isParty(actor, deal)) {
    const refusal = await billOfSaleRefusal(ctx.db, actor.dealerId, deal, await listSignatures(ctx.db, dealId))
    if (refusal) throw refusal
  }
  if (document.pdf === null) throw conflict('This document is being made. Try again in a moment')
  return { name: `${document.number}-v${document.version}.pdf`, pdf: document.pdf }
}

/**
 * A party signs with a typed name; time and network address are recorded and printed on the next version.
 * @throws 404 for others, 409 unless the deal is approved, without a mileage to disclose, or when it is signed already, 402 for a bill of sale that neither
 * party's plan has
 */
export async function signDocument(
  ctx: Context,
  actor: Actor,
  dealId: string,
  kind: DocumentKind,
  by: { name: string; address: string },
): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const deal = await lockDeal(tx, dealId)
    if (deal === undefined || !isParty(actor, deal)) throw notFound('This deal')
    if (deal.status !== 'approved') throw conflict('Documents are signed while the deal is approved')
    if (kind === 'odometer' && deal.mileage === null)
      throw conflict('The mileage is missing. The seller states it before anybody signs the odometer disclosure')
    const before = await listSignatures(tx, dealId)
    const refusal = await billOfSaleRefusal(tx, actor.dealerId, deal, before)
    if (kind === 'bill_of_sale' && refusal) throw refusal
    const signature = { dealId, kind, dealerId: actor.dealerId, name: by.name.trim(), address: by.address }
    if (!(await insertSignature(tx, signature))) throw conflict('You have signed this document')
    await insertStep(tx, { dealId, actorId: actor.dealerId, kind: `signed_${kind}` })
    await issue(tx, emit, dealId, kind)
    await touchInbox(tx, emit, [deal.sellerId, deal.buyerId], 'deal', dealId)
    const state = { ...deal, billOfSale: refusal === undefined }
    const isLast = !canBeCompleted({ ...state, signatures: before })
    if (actor.dealerId === deal.sellerId && isLast && canBeCompleted({ ...state, signatures: [...before, signature] }))
      await tellBuyer(tx, emit, deal, 'Both have signed: complete the deal', 'signed')
  })
}

/** The seller has done what the buyer waited for: told once. */
async function tellBuyer(
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

/**
 * The seller states the mileage that the post did not have; the papers are made anew with it.
 * @throws 404 for others, 403 for the buyer, 409 where it stands already or the deal is over
 */
export async function giveMileage(ctx: Context, actor: Actor, dealId: string, mileage: number): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const deal = await lockDeal(tx, dealId)
    if (deal === undefined || !isParty(actor, deal)) throw notFound('This deal')
    if (actor.dealerId !== deal.sellerId) throw forbidden('The seller states the mileage')
    if (deal.status !== 'pending' && deal.status !== 'approved') throw conflict('This deal is over')
    if (deal.mileage !== null) throw conflict('The mileage stands already')
    await updateDealMileage(tx, dealId, mileage)
    await insertStep(tx, { dealId, actorId: actor.dealerId, kind: 'mileage' })
    if (deal.status === 'approved') await issueDocuments(tx, emit, dealId)
    await touchInbox(tx, emit, [deal.sellerId, deal.buyerId], 'deal', dealId)
    // Who buys a pending one is told to sign when it is approved.
    if (deal.status === 'approved')
      await tellBuyer(tx, emit, deal, 'The mileage is stated: sign the odometer disclosure', 'mileageGiven')
  })
}

/** The parties that have given no dealer license number, or whose license was rejected. */
export async function partiesWithoutLicense(
  db: Db,
  { sellerId, buyerId }: { sellerId: string; buyerId: string },
): Promise<('seller' | 'buyer')[]> {
  const [seller, buyer] = await Promise.all([findParty(db, sellerId), findParty(db, buyerId)])
  return [...(seller.licenseNumber ? [] : (['seller'] as const)), ...(buyer.licenseNumber ? [] : (['buyer'] as const))]
}

/** Every paper of the dealer's deals, each read when its turn comes. */
export async function* papersOf(db: Db, dealerId: string) {
  for (const { id, dealId } of await listPapersOf(db, dealerId))
    yield { id, read: async () => (await findPdf(db, dealId, id))?.pdf ?? undefined }
}
