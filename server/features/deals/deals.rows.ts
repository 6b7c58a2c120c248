import type { Selectable } from 'kysely'
import type { Deal, DealDetail, DealDocument, Signature } from '#shared/schemas/deals.ts'
import type { DealSignatures } from '#server/db/schema.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { listDocuments } from './deal-documents.repository.ts'
import type { DealRow } from './deals.repository.ts'

export function toDeal(row: DealRow): Deal {
  return {
    id: row.id,
    status: row.status,
    year: row.year,
    make: row.make,
    model: row.model,
    price: dollarsOf(row.priceCents),
    ...(row.buyFeeCents > 0 && { buyFee: dollarsOf(row.buyFeeCents) }),
    vin: row.vin,
    location: row.location,
    sellerId: row.sellerId,
    buyer: { id: row.buyerId, name: row.buyerName, dealershipName: row.buyerDealership },
    seller: { id: row.sellerId, name: row.sellerName, dealershipName: row.sellerDealership },
    postId: row.postId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toReview({ reviewStatus, reviewReason, reviewedAt, reviewSubmittedAt }: DealRow): DealDetail['review'] {
  if (reviewSubmittedAt === null) return null
  return {
    status: reviewStatus,
    submittedAt: reviewSubmittedAt.toISOString(),
    reason: reviewReason,
    at: reviewedAt?.toISOString() ?? null,
  }
}

type DocumentRow = Awaited<ReturnType<typeof listDocuments>>[number]

export function toDealDocument({ createdAt, ...row }: DocumentRow): DealDocument {
  return { ...row, createdAt: createdAt.toISOString() }
}

export function toSignature({ dealerId, kind, name, address, signedAt }: Selectable<DealSignatures>): Signature {
  return { dealerId, kind, name, address, signedAt: signedAt.toISOString() }
}
