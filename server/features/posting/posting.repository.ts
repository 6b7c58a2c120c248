import { sql } from 'kysely'
import type { SheetFault, SheetReport, SheetState, SheetSummary } from '#shared/schemas/posting.ts'
import type { Db, Tx } from '#server/platform/db.ts'

export interface ImportOutcome {
  state: SheetState
  found: number
  faults: SheetFault[]
  summary: SheetSummary | null
  error: string | null
}

export async function saveImport(tx: Tx, postId: string, outcome: ImportOutcome): Promise<void> {
  const { faults, summary } = outcome
  const columns = {
    ...outcome,
    faults: JSON.stringify(faults),
    summary: summary === null ? null : JSON.stringify(summary),
  }
  await tx
    .insertInto('sheetImports')
    .values({ postId, ...columns })
    .onConflict((conflict) => conflict.column('postId').doUpdateSet({ ...columns, updatedAt: sql<Date>`now()` }))
    .execute()
}

export async function findImport(db: Db, postId: string): Promise<SheetReport | undefined> {
  return db
    .selectFrom('sheetImports')
    .select(['state', 'found', 'faults', 'summary', 'error'])
    .where('postId', '=', postId)
    .executeTakeFirst()
}

/** The link to download and the dealer's location. Undefined if the post is gone or has no link. */
export async function findLink(db: Db, postId: string) {
  const row = await db
    .selectFrom('posts')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .select([
      'posts.id as postId',
      'posts.title',
      'posts.spreadsheetUrl',
      'posts.dealerId',
      'dealers.city',
      'dealers.state',
    ])
    .where('posts.id', '=', postId)
    .where('posts.deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.spreadsheetUrl ? { ...row, spreadsheetUrl: row.spreadsheetUrl } : undefined
}

const shownPosts = 5

export async function listActivePosts(db: Db, vin: string) {
  return db
    .selectFrom('vehicles')
    .innerJoin('posts', 'posts.id', 'vehicles.postId')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .select(['posts.id', 'posts.title', 'posts.dealerId', 'dealers.dealershipName'])
    .where('vehicles.vin', '=', vin)
    .where('vehicles.status', '<>', 'sold')
    .where('posts.status', '=', 'active')
    .where('posts.deletedAt', 'is', null)
    .where('posts.hiddenAt', 'is', null)
    .orderBy('posts.createdAt', 'desc')
    .limit(shownPosts)
    .execute()
}

export async function removeImportsOf(tx: Tx, dealerId: string): Promise<void> {
  await tx
    .deleteFrom('sheetImports')
    .using('posts')
    .whereRef('posts.id', '=', 'sheetImports.postId')
    .where('posts.dealerId', '=', dealerId)
    .execute()
}
