import type { Arrays, Columns } from './table.ts'
import type { Criteria, FindCounts } from './search-format.ts'

const add = (counts: Uint32Array, value: number) => {
  counts[value] = (counts[value] ?? 0) + 1
}

/** Counts by word id. `noModel` counts a make's vehicles without a model. `makeOf` is a model's make, and `modelOf` a trim's model. */
type WordCounts = Record<'makes' | 'models' | 'trims' | 'noModel' | 'noTrim' | 'makeOf' | 'modelOf', Uint32Array>
type Open = Record<'makes' | 'models', Uint8Array>

function countParts({ make, model, trim }: Arrays, row: number, counts: WordCounts, isOpen: Uint8Array): void {
  const ofMake = make[row] ?? 0
  const ofModel = model[row] ?? 0
  const ofTrim = trim[row] ?? 0
  if (ofModel === 0) return add(counts.noModel, ofMake)
  add(counts.models, ofModel)
  counts.makeOf[ofModel] = ofMake
  if (isOpen[ofModel] !== 1) return
  if (ofTrim === 0) return add(counts.noTrim, ofModel)
  add(counts.trims, ofTrim)
  counts.modelOf[ofTrim] = ofModel
}

function countWords(rows: Uint32Array, count: number, of: Arrays, [counts, open]: [WordCounts, Open]): void {
  const [{ make }, { makes }, { makes: isOpen, models }] = [of, counts, open]
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const ofMake = make[row] ?? 0
    makes[ofMake] = (makes[ofMake] ?? 0) + 1
    if (isOpen[ofMake] === 1) countParts(of, row, counts, models)
  }
}

export function wordCounter({ of, maxWordId: mostWord }: Columns, chosen: NonNullable<Criteria['words']>) {
  const column = () => new Uint32Array(mostWord + 1)
  const counts: WordCounts = {
    makes: column(),
    models: column(),
    trims: column(),
    noModel: column(),
    noTrim: column(),
    makeOf: column(),
    modelOf: column(),
  }
  const open: Open = { makes: new Uint8Array(mostWord + 1), models: new Uint8Array(mostWord + 1) }
  for (const [make, model] of chosen) {
    open.makes[make] = 1
    if (model !== undefined && model > 0) open.models[model] = 1
  }
  const makeOf = (model: number) => counts.makeOf[model] ?? 0
  const modelOf = (trim: number) => counts.modelOf[trim] ?? 0
  const counted = (numbers: Uint32Array, idsOf: (id: number) => FindCounts['words'][number]['ids']) => {
    const found: FindCounts['words'] = []
    for (const [id, count] of numbers.entries()) if (count > 0) found.push({ ids: idsOf(id), count })
    return found
  }
  const isOpen = (make: number) => chosen.some(([one, model]) => one === make && model === 0)
  const read = (): FindCounts['words'] => [
    ...counted(counts.makes, (make) => [make]),
    ...counted(counts.models, (model) => [makeOf(model), model]),
    ...counted(counts.noModel, (make) => [make, 0]),
    ...counted(counts.trims, (trim) => [makeOf(modelOf(trim)), modelOf(trim), trim]),
    ...counted(counts.noTrim, (model) => [makeOf(model), model, 0]),
    ...counted(counts.noModel, (make) => [make, 0, 0]).filter(({ ids: [make] }) => isOpen(make)),
  ]
  return { tally: (rows: Uint32Array, count: number) => countWords(rows, count, of, [counts, open]), read }
}
