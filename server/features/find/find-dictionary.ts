import { LRUCache } from 'lru-cache'
import { wordText, type FindWord } from '#shared/find-query.ts'
import type { Db } from '#server/platform/database/db.ts'
import { findPlaceOf, listLabels, listWordIds, unknownWord, type PostalPlace, type WordIds } from './find.repository.ts'

export interface ChosenWord {
  word: FindWord
  ids: WordIds
}

const wordsMax = 5_000
const labelsMax = 50_000
const placesMax = 5_000

/** Caches words and places. Entries are never stale, because their rows do not change while a process runs. */
export class Dictionary {
  readonly #db: Db
  readonly #ids = new LRUCache<string, WordIds>({ max: wordsMax })
  readonly #labels = new LRUCache<number, string>({ max: labelsMax })
  readonly #places = new LRUCache<string, PostalPlace>({ max: placesMax })

  constructor(db: Db) {
    this.#db = db
  }

  async chosen(words: readonly FindWord[]): Promise<ChosenWord[]> {
    const known = words.map((word) => this.#ids.get(wordText(word)))
    const asked = words.filter((_, place) => known[place] === undefined)
    const found = await listWordIds(this.#db, asked)
    for (const [place, ids] of found.entries()) {
      const word = asked[place]
      if (word !== undefined && !ids.includes(unknownWord)) this.#ids.set(wordText(word), ids)
    }
    const inOrder = found.values()
    return words.map((word, place) => ({ word, ids: known[place] ?? inOrder.next().value ?? [unknownWord] }))
  }

  async labels(ids: readonly number[]): Promise<Map<number, string>> {
    const labels = new Map<number, string>()
    for (const id of ids) {
      const label = this.#labels.get(id)
      if (label !== undefined) labels.set(id, label)
    }
    const asked = ids.filter((id) => !labels.has(id))
    for (const [id, label] of await listLabels(this.#db, asked)) {
      this.#labels.set(id, label)
      labels.set(id, label)
    }
    return labels
  }

  async place(code: string): Promise<PostalPlace | undefined> {
    const known = this.#places.get(code) ?? (await findPlaceOf(this.#db, code))
    if (known !== undefined) this.#places.set(code, known)
    return known
  }
}
