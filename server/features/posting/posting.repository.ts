import { sql } from 'kysely'
import type {
  HeldSheet,
  SheetChanges,
  SheetColumnChoice,
  SheetFault,
  SheetReport,
  SheetState,
  SheetSummary,
} from '#shared/schemas/posting.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

export async function saveWaiting(tx: Tx, postId: string): Promise<void> {
  await updateImport(tx, postId, { state: 'waiting', error: null })
}

/** Saves a published import. Clears `seen`, because later imports are compared with the published vehicles instead of the preview. */
export async function savePublished(
  tx: Tx,
  postId: string,
  reading: { found: number; faults: SheetFault[]; summary: SheetSummary; changes: SheetChanges | null },
): Promise<void> {
  const { found, faults, summary, changes } = reading
  await updateImport(tx, postId, {
    state: 'done',
    found,
    faults: JSON.stringify(faults),
    summary: asJson(summary),
    changes: asJson(changes),
    error: null,
    held: null,
    heldVehicles: null,
    seen: null,
  })
}

/** Saves an import that awaits the owner's approval. */
export async function saveHeld(
  tx: Tx,
  postId: string,
  { held, vehicles }: { held: HeldSheet; vehicles: readonly NewVehicle[] },
): Promise<void> {
  const content = { held: asJson(held), heldVehicles: asJson(vehicles) }
  await updateImport(tx, postId, { state: 'held', error: null, ...content })
}

export async function dropHeld(tx: Tx, postId: string): Promise<void> {
  await updateImport(tx, postId, { state: 'done', error: null, held: null, heldVehicles: null })
}

/** Replaces the held import's list of changes. Its vehicles stay the same. */
export async function updateHeld(tx: Tx, postId: string, held: HeldSheet): Promise<void> {
  await updateImport(tx, postId, { held: asJson(held) })
}

/** Saves why the sheet could not be read. Keeps the report and any import that awaits approval. */
export async function saveFailed(tx: Tx, postId: string, error: string): Promise<void> {
  await updateImport(tx, postId, { state: 'failed', error })
}

interface ImportColumns {
  state?: SheetState
  error?: string | null
  found?: number
  faults?: string
  summary?: string | null
  changes?: string | null
  held?: string | null
  heldVehicles?: string | null
  seen?: null
}

async function updateImport(tx: Tx, postId: string, columns: ImportColumns): Promise<void> {
  await tx
    .updateTable('sheetImports')
    .set({ ...columns, updatedAt: sql<Date>`now()` })
    .where('postId', '=', postId)
    .execute()
}

export async function findImport(db: Db, postId: string): Promise<SheetReport | undefined> {
  return db
    .selectFrom('sheetImports')
    .select(['state', 'found', 'faults', 'summary', 'error', 'changes', 'held'])
    .where('postId', '=', postId)
    .executeTakeFirst()
}

export async function findHeldSheet(tx: Tx, postId: string) {
  return tx
    .selectFrom('sheetImports')
    .select(['state', 'held', 'heldVehicles'])
    .where('postId', '=', postId)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns the counts that the owner saw in the preview. Undefined after the first published import, or if there was no preview. */
export async function findSeenCounts(tx: Tx, postId: string) {
  const row = await tx.selectFrom('sheetImports').select('seen').where('postId', '=', postId).executeTakeFirst()
  return row?.seen ?? undefined
}

/** Returns the dealer's newest column corrections. Each key is a hash of a set of headings. */
export async function listColumnChoices(db: Db, dealerId: string): Promise<Record<string, SheetColumnChoice>> {
  const rows = await db
    .selectFrom('sheetColumns')
    .select(['headings', 'columns'])
    .where('dealerId', '=', dealerId)
    .orderBy('updatedAt', 'desc')
    .limit(choicesMax)
    .execute()
  return Object.fromEntries(rows.map(({ headings, columns }) => [headings, columns]))
}

const choicesMax = 100

/** Saves the corrections for a set of headings. Deletes the oldest sets beyond the limit. */
export async function saveColumnChoice(
  tx: Tx,
  dealerId: string,
  { headings, columns }: { headings: string; columns: SheetColumnChoice },
): Promise<void> {
  const content = { columns: JSON.stringify(columns), updatedAt: sql<Date>`clock_timestamp()` }
  await tx
    .insertInto('sheetColumns')
    .values({ dealerId, headings, ...content })
    .onConflict((conflict) => conflict.columns(['dealerId', 'headings']).doUpdateSet(content))
    .execute()
  const newest = tx
    .selectFrom('sheetColumns')
    .select('headings')
    .where('dealerId', '=', dealerId)
    .orderBy('updatedAt', 'desc')
    .limit(choicesMax)
  await tx.deleteFrom('sheetColumns').where('dealerId', '=', dealerId).where('headings', 'not in', newest).execute()
}

export async function removeColumnChoices(tx: Tx, dealerId: string, headings: readonly string[]): Promise<void> {
  await tx.deleteFrom('sheetColumns').where('dealerId', '=', dealerId).where('headings', 'in', headings).execute()
}

export async function removeColumnChoicesOf(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('sheetColumns').where('dealerId', '=', dealerId).execute()
}

/** Returns the post's spreadsheet link. Undefined if the post does not exist or has no link. */
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
      isSuspended('dealers').as('isSuspended'),
    ])
    .where('posts.id', '=', postId)
    .where('posts.deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.spreadsheetUrl ? { ...row, spreadsheetUrl: row.spreadsheetUrl } : undefined
}

export async function findPlace(db: Db, dealerId: string): Promise<{ city: string; state: string }> {
  const place = await db.selectFrom('dealers').select(['city', 'state']).where('id', '=', dealerId).executeTakeFirst()
  return place ?? { city: '', state: '' }
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
