import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db.ts'
import { ownFile } from '#server/platform/own-files.ts'

/**
 * The rules that PostgreSQL applies: below server/, each one function that is named like its file and lives with what the rule
 * is about. They are no history but what this version means, so they are replaced as a whole when their text changes, also by
 * an older version that is rolled back to. While versions run side by side all of them call whichever was put in place last:
 * a text may change what it does, but what it is given and what it answers stay. What needs another signature or another answer
 * is a function of another name, in a file of another name; a later migration drops the old one.
 */
const files = [
  'platform/is-suspended.sql',
  'features/admin/is-subject-gone.sql',
  'features/auctions/day-use.sql',
  'features/auctions/place-bids.sql',
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

/**
 * Puts the functions in place whose text is another than this version's. The hash of its text is a function's comment: it goes
 * wherever the function goes, into a backup as well. Call it under the migrator's lock, after the migrations.
 */
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
