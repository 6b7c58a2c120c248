import { sql } from 'kysely'
import type { DocumentKind } from '#shared/schemas/deals.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { PaperContent } from './paper-text.ts'

const prefixes: Record<DocumentKind, string> = { bill_of_sale: 'BOS', odometer: 'ODO' }

export async function findLastVersion(tx: Tx, dealId: string, kind: DocumentKind) {
  return tx
    .selectFrom('dealDocuments')
    .select(['number', 'version', 'content'])
    .where('dealId', '=', dealId)
    .where('kind', '=', kind)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A new version keeps the document's number. The first version gets the next free number. */
export async function insertDocument(
  tx: Tx,
  dealId: string,
  kind: DocumentKind,
  content: PaperContent,
  last: { number: string; version: number } | undefined,
): Promise<string> {
  const number = sql<string>`${`${prefixes[kind]}-`}::text || to_char(now(), 'YYYY') || '-' || lpad(nextval('deal_document_numbers')::text, 6, '0')`
  const { id } = await tx
    .insertInto('dealDocuments')
    .values({
      dealId,
      kind,
      number: last?.number ?? number,
      version: (last?.version ?? 0) + 1,
      content: JSON.stringify(content),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function listDocuments(db: Db, dealId: string) {
  return db
    .selectFrom('dealDocuments')
    .distinctOn('kind')
    .select(['id', 'kind', 'number', 'version', 'createdAt', sql<boolean>`pdf is not null`.as('ready')])
    .where('dealId', '=', dealId)
    .orderBy('kind')
    .orderBy('version', 'desc')
    .execute()
}

export async function findDocument(db: Db, documentId: string) {
  return db
    .selectFrom('dealDocuments')
    .select(['id', 'dealId', 'kind', 'number', 'version', 'content', 'createdAt'])
    .where('id', '=', documentId)
    .executeTakeFirst()
}

export async function findPdf(db: Db, dealId: string, documentId: string) {
  return db
    .selectFrom('dealDocuments')
    .select(['kind', 'number', 'version', 'pdf'])
    .where('id', '=', documentId)
    .where('dealId', '=', dealId)
    .executeTakeFirst()
}

export async function storePdf(tx: Tx, documentId: string, pdf: Buffer): Promise<void> {
  await tx
    .updateTable('dealDocuments')
    .set({ pdf, madeAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', documentId)
    .execute()
}

export async function insertSignature(
  tx: Tx,
  signature: { dealId: string; kind: DocumentKind; dealerId: string; name: string; address: string },
): Promise<boolean> {
  const result = await tx
    .insertInto('dealSignatures')
    .values(signature)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function listSignatures(db: Db, dealId: string) {
  return db.selectFrom('dealSignatures').selectAll().where('dealId', '=', dealId).orderBy('signedAt').execute()
}

/**
 * Lists the signatures that a version of a document was issued with. Each signature that was added later has issued a later version. Counts
 * both in one statement, because a party may sign at the same time.
 */
export async function listSignaturesOf(
  db: Db,
  { dealId, kind, version }: { dealId: string; kind: DocumentKind; version: number },
) {
  const signed = sql`(select count(*) from deal_signatures where deal_id = ${dealId} and kind = ${kind})`
  const addedLater = sql`(select count(*) from deal_documents
    where deal_id = ${dealId} and kind = ${kind} and version > ${version})`
  return db
    .selectFrom('dealSignatures')
    .selectAll()
    .where('dealId', '=', dealId)
    .where('kind', '=', kind)
    .orderBy('signedAt')
    .limit(sql<number>`greatest(0, ${signed} - ${addedLater})`)
    .execute()
}

export async function findParty(db: Db, dealerId: string) {
  return db
    .selectFrom('dealers')
    .select(['name', 'dealershipName', 'address', 'city', 'state', 'zip', 'phone'])
    .select(sql<string | null>`case when license_rejected_at is null then license_number end`.as('licenseNumber'))
    .where('id', '=', dealerId)
    .executeTakeFirstOrThrow()
}

export async function listPapersOf(db: Db, dealerId: string): Promise<{ id: string; dealId: string }[]> {
  return db
    .selectFrom('dealDocuments')
    .innerJoin('deals', 'deals.id', 'dealDocuments.dealId')
    .select(['dealDocuments.id', 'deals.id as dealId'])
    .where((eb) => eb.or([eb('deals.sellerId', '=', dealerId), eb('deals.buyerId', '=', dealerId)]))
    .where('dealDocuments.pdf', 'is not', null)
    .orderBy('dealDocuments.id')
    .execute()
}
