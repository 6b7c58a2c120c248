import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import { ownFile } from '#server/platform/storage/own-files.ts'

/**
 * Each file holds one SQL function of the same name. A changed file replaces the function, even in a rollback to an older version.
 * During a rolling update, all versions of Lanewire call the function that was installed last. So never change a function's signature
 * or result. Instead, add a function with another name, and drop the old one in a later migration.
 */
const files = [
  'platform/database/is-suspended.sql',
  'features/audit/is-subject-gone.sql',
  'features/auctions/day-use.sql',
  'features/auctions/place-bids.sql',
  'features/dealers/known-zone.sql',
  'features/find/word-key.sql',
  'features/find/place-of.sql',
  'features/find/refresh-find.sql',
  'features/messaging/store-messages.sql',
  'features/uploads/is-object-visible.sql',
]

async function readFunctions(): Promise<{ name: string; text: string; hash: string }[]> {
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(ownFile(file), 'utf8')
      const name = basename(file, '.sql').replaceAll('-', '_')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Installs changed functions. Stores their hashes as SQL comments, which backups include. The caller must hold the migrator's lock. */
export async function replaceFunctions(db: Db): Promise<void> {
  const functions = await readFunctions()
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string; hash: string | null }>`
      select proname as name, obj_description(oid, 'pg_proc') as hash from pg_proc
      where pronamespace = 'public'::regnamespace and proname = any(${functions.map(({ name }) => name)})`.execute(tx)
    const inPlace = new Map(rows.map(({ name, hash }) => [name, hash]))
    for (const { name, text, hash } of functions) {
      if (inPlace.get(name) === hash) continue
      await sql.raw(text).execute(tx)
      await sql`comment on function ${sql.id(name)} is ${sql.lit(hash)}`.execute(tx)
    }
  })
}
