import { isDeepStrictEqual } from 'node:util'
import type { FindQuery, FindWord } from '#shared/find-query.ts'
import { wordKey } from '#shared/vehicle-traits.ts'
import { Columns } from '#server/features/find/columns/table.ts'
import { criteriaOf } from '#server/features/find/find-criteria.ts'
import { readRows, readSellers, readStart } from '#server/features/find/columns/lines.repository.ts'
import { scan } from '#server/features/find/columns/scan.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { ModelRow } from './find-model.ts'

type Ids = [make: number, model?: number, trim?: number]

async function readWords(db: Db) {
  const words = await db.selectFrom('findWords').select(['id', 'kind', 'parentId', 'key', 'label']).execute()
  const idByPath = new Map(words.map(({ id, kind, parentId, key }) => [`${kind} ${parentId} ${key}`, id]))
  const idOf = (kind: string, parent: number, text: string) =>
    wordKey(text) === '' ? 0 : (idByPath.get(`${kind} ${parent} ${wordKey(text)}`) ?? -1)
  const idsOf = ({ make, model, trim }: FindWord): Ids => {
    const ids: Ids = [idOf('make', 0, make)]
    if (model !== undefined) ids.push(idOf('model', ids[0], model))
    if (trim !== undefined) ids.push(idOf('trim', ids[1] ?? 0, trim))
    return ids
  }
  return { idsOf, labels: new Map(words.map(({ id, label }) => [id, label])) }
}

/** Loads Find's in-memory columns in this thread. `network` and `blocked` are ids of sellers. Blocked sellers' vehicles are left out. */
export async function columnsOf(
  db: Db,
  rows: readonly ModelRow[],
  { network, blocked }: Record<'network' | 'blocked', ReadonlySet<string>>,
) {
  const columns = new Columns()
  const { places, lastRow } = await readStart(db)
  columns.writePlaces(places)
  columns.writeSellers((await readSellers(db)).lines)
  // Load the second half first and then everything, to check that the columns accept rows in any order.
  const middle = Math.floor(lastRow / 2)
  for (const from of [middle, 0]) columns.write((await readRows(db, from, lastRow + 1)).lines)
  const sellers = await db.selectFrom('findSellers').select(['dealerId', 'sellerNo']).execute()
  const numbersOf = (ids: ReadonlySet<string>) =>
    sellers.flatMap(({ dealerId, sellerNo }) => (ids.has(dealerId) ? sellerNo : []))
  const caller = { network: numbersOf(network), excluded: numbersOf(blocked) }
  const { idsOf, labels } = await readWords(db)
  const vehicleOf = new Map(rows.map(({ rowNo, vehicleId }) => [rowNo, vehicleId]))
  return {
    labels,
    /** Returns the first 50 ids and all counts. `isSame` is true if a search without counts returns the same total and page. */
    ask(query: FindQuery, near: { lat: number; lng: number } | undefined, now: number) {
      const words = query.mmt.map((word) => ({ word, ids: idsOf(word) }))
      const criteria = criteriaOf(query, { ...caller, words: words.map(({ ids }) => ids), near, now })
      const sort = query.sort === 'nearest' && near === undefined ? 'newest' : query.sort
      const page = { sort, limit: 50 } as const
      const { total, rows: found, counts } = scan(columns, { criteria, page, counts: true })
      const alone = scan(columns, { criteria, page })
      const isSame = isDeepStrictEqual([alone.total, alone.rows], [total, found])
      return { total, ids: found.map(([rowNo]) => vehicleOf.get(rowNo)), counts, words, isSame }
    },
  }
}
