import Target from 'lucide-react/icons/target'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { formatMileage } from '#client/ui/format.ts'
import { type FindQuery, findSearch } from '#shared/find-query.ts'
import { ofFind, orderTitle } from './order-labels.ts'

export const newOrderPath = (query: FindQuery): string =>
  `/wanted?${['order=new', findSearch(query)].filter(Boolean).join('&')}`

/** Returns a phrase such as `an Audi Q5 under 40,000 mi`, or undefined if the search does not name a model. */
function describeSearch(query: FindQuery): string | undefined {
  const start = ofFind(query)
  if (start.make === '' || start.model === '') return undefined
  const title = orderTitle(start)
  const miles = start.milesMax === null ? '' : ` under ${formatMileage(start.milesMax)}`
  return `${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title}${miles}`
}

export function OrderSuggestion({ query }: { query: FindQuery }) {
  const wanted = describeSearch(query)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-b-md bg-sunken px-4 py-3">
      <Target size={20} className="flex-none text-accent-ink" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-60 text-pretty text-ink-2">
        <b className="font-semibold text-ink">Buy these every month?</b>{' '}
        {wanted === undefined
          ? "A buy order sets the model you want and your price. We'll notify you within seconds when one is posted."
          : `A buy order shows sellers of ${wanted} your price. We'll notify you within seconds when one is posted.`}
      </p>
      <ButtonLink href={newOrderPath(query)} className="max-md:w-full">
        New buy order
      </ButtonLink>
    </div>
  )
}
