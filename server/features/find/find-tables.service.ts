import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sql, type Kysely } from 'kysely'
import { refreshPlaces } from '#server/features/dealers/dealers.service.ts'
import type { Db } from '#server/platform/db.ts'
import { ownFile } from '#server/platform/own-files.ts'
import { refreshFind } from './find-rows.service.ts'
import { isEmpty, listPostsAfter, replacePlaces } from './find.repository.ts'

const postsPerStep = 500

/**
 * Puts in place where ZIPs and postal codes lie, when this version brings another list than the one that is there: the list's hash is the
 * table's comment. Dealers whose code it knows then have their place. Call it under the migrator's lock, after the functions.
 */
export async function loadPlaces(db: Kysely<unknown>): Promise<void> {
  const packed = await readFile(ownFile('db/data/places.tsv.gz'))
  const hash = createHash('sha256').update(packed).digest('hex')
  const { rows } = await sql<{ hash: string | null }>`
    select obj_description('postal_places'::regclass, 'pg_class') as hash`.execute(db)
  if (rows[0]?.hash === hash) return
  const lines = (await promisify(gunzip)(packed)).toString('utf8')
  await db.transaction().execute(async (tx) => {
    await replacePlaces(tx as unknown as Db, lines)
    await refreshPlaces(tx as unknown as Db)
    await sql`comment on table postal_places is ${sql.lit(hash)}`.execute(tx)
  })
}

/** A database from before there was Find gets its rows, some posts at a time. Call it after `loadPlaces`. */
export async function fillFind(migrating: Kysely<unknown>): Promise<void> {
  const db = migrating as unknown as Db
  if (!(await isEmpty(db))) return
  let after: string | undefined
  do {
    const posts = await listPostsAfter(db, after, postsPerStep)
    await db.transaction().execute(async (tx) => void (await refreshFind(tx, posts)))
    after = posts.length < postsPerStep ? undefined : posts.at(-1)
  } while (after !== undefined)
}
