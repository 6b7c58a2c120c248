import { formatMileage, formatMoney, formatNumber, plural } from '#client/ui/format.ts'
import type { SheetChange, SheetChanges } from '#shared/schemas/posting.ts'

export function changesLine({ added, removed, changed, pricesLost, vinsLost = 0 }: SheetChanges): string {
  const parts = [
    removed > 0 ? `${plural(removed, 'vehicle')} removed` : '',
    added > 0 ? `${plural(added, 'vehicle')} added` : '',
    changed > 0 ? `${plural(changed, 'vehicle')} with a different price, mileage or VIN` : '',
    pricesLost > 0 ? `${plural(pricesLost, 'price')} missing` : '',
    vinsLost > 0 ? `${plural(vinsLost, 'VIN')} missing` : '',
  ].filter((part) => part !== '')
  return parts.length > 0 ? parts.join(', ') : 'No vehicles changed'
}

export function SheetChangesList({ changes }: { changes: SheetChanges }) {
  const { list, added, removed, changed } = changes
  const more = added + removed + changed - list.length
  return (
    <ul aria-label="What changed" tabIndex={0} className="num grid max-h-60 gap-1 overflow-y-auto text-xs">
      {list.map((change, index) => (
        <li key={index} className="break-words">
          <span className="font-semibold">{verbs[change.kind]}</span> {change.vehicle}
          {change.vin === null ? null : <span className="vin text-ink-2"> {change.vin}</span>}
          {change.vinBefore ? (
            <span className="text-ink-2">
              , VIN <span className="vin">{change.vinBefore}</span> missing
            </span>
          ) : null}
          <span className="text-ink-2">{detailOf(change)}</span>
        </li>
      ))}
      {more > 0 ? <li className="text-ink-2">and {formatNumber(more)} more</li> : null}
    </ul>
  )
}

const verbs = { added: 'Added:', removed: 'Removed:', changed: 'Changed:' } satisfies Record<
  SheetChange['kind'],
  string
>

function detailOf({ price, mileage }: SheetChange): string {
  const from = (before: number | null, after: number | null, format: (value: number) => string) =>
    `${before === null ? 'not given' : format(before)} to ${after === null ? 'not given' : format(after)}`
  return [
    price ? `, price from ${from(price.before, price.after, formatMoney)}` : '',
    mileage ? `, mileage from ${from(mileage.before, mileage.after, formatMileage)}` : '',
  ].join('')
}
