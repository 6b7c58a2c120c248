import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { refreshPlaces } from '#server/features/dealers/dealers.service.ts'
import type { Db } from '#server/platform/database/db.ts'
import { ownFile } from '#server/platform/storage/own-files.ts'
import { refreshFind } from './refresh-find.service.ts'
import { findPlacesHash, isEmpty, listPostsAfter, replacePlaces } from './find.repository.ts'

const postsPerStep = 500

/** Loads the postal codes if they changed. Call it under the migrator's lock, after the SQL functions exist. */
export async function loadPlaces(db: Db): Promise<void> {
  const packed = await readFile(ownFile('db/data/places.tsv.gz'))
  const hash = createHash('sha256').update(packed).digest('hex')
  if ((await findPlacesHash(db)) === hash) return
  const lines = (await promisify(gunzip)(packed)).toString('utf8')
  await db.transaction().execute(async (tx) => {
    await replacePlaces(tx, lines, hash)
    await refreshPlaces(tx)
  })
}

/** Fills find_vehicles if the database was created before Find existed. Call it after `loadPlaces`. */
export async function fillFind(db: Db): Promise<void> {
  if (!(await isEmpty(db))) return
  let after: string | undefined
  do {
    const posts = await listPostsAfter(db, after, postsPerStep)
    await db.transaction().execute(async (tx) => void (await refreshFind(tx, posts)))
    after = posts.length < postsPerStep ? undefined : posts.at(-1)
  } while (after !== undefined)
}
