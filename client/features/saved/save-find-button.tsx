import { useQuery } from '@tanstack/react-query'
import { BellPlus, BellRing } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { filtersOf, findSearch, type FindQuery, parseFind } from '#shared/find-query.ts'
import { savedSearchesQuery, useForgetSearch, useSaveSearch } from './saved.api.ts'

const askedBy = (query: FindQuery): string => findSearch(filtersOf(query))

/** Beside the filters of Find: keeps them, and tells of new vehicles that they find. */
export function SaveFindButton({ query }: { query: FindQuery }) {
  const saved = useQuery(savedSearchesQuery())
  const save = useSaveSearch()
  const forget = useForgetSearch()
  const asked = askedBy(query)
  const known = saved.data?.find((one) => one.kind === 'find' && askedBy(parseFind(one.query ?? '')) === asked)
  if (asked === '') return null
  return (
    <Button
      variant={known ? 'on' : 'secondary'}
      aria-pressed={known !== undefined}
      busy={save.isPending}
      icon={known ? <BellRing size={16} aria-hidden="true" /> : <BellPlus size={16} aria-hidden="true" />}
      onClick={() => (known ? forget.mutate(known.id) : save.mutate({ kind: 'find', query: asked }))}
    >
      {known ? 'Search saved' : 'Save search'}
    </Button>
  )
}
