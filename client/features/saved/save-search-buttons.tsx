import { useQuery } from '@tanstack/react-query'
import BellPlus from 'lucide-react/icons/bell-plus'
import BellRing from 'lucide-react/icons/bell-ring'
import { Button } from '#client/ui/button.tsx'
import { filtersOf, findSearch, type FindQuery, parseFind } from '#shared/find-query.ts'
import type { PostSort } from '#shared/schemas/posts.ts'
import type { NewSavedSearch, SavedSearch } from '#shared/schemas/saved.ts'
import { savedSearchesQuery, useForgetSearch, useSaveSearch } from './saved.api.ts'

interface SaveButtonProps {
  input: NewSavedSearch
  isSame: (saved: SavedSearch) => boolean
  small?: boolean
}

function SaveButton({ input, isSame, small = false }: SaveButtonProps) {
  const saved = useQuery(savedSearchesQuery())
  const save = useSaveSearch()
  const forget = useForgetSearch()
  const known = saved.data?.find(isSame)
  const Bell = known ? BellRing : BellPlus
  return (
    <Button
      {...(small && { size: 'sm' })}
      variant={known ? 'on' : 'secondary'}
      aria-pressed={known !== undefined}
      busy={save.isPending}
      icon={<Bell size={small ? 14 : 16} aria-hidden="true" />}
      onClick={() => (known ? forget.mutate(known.id) : save.mutate(input))}
    >
      {known ? 'Search saved' : 'Save search'}
    </Button>
  )
}

/** Saves a search of the feed. The dealer is then notified of new posts that match it. */
export function SaveSearchButton({ search, sort }: { search: string; sort: PostSort }) {
  if (!search) return null
  // A search of Find is stored with its description, which can be the same text.
  const isSame = (one: SavedSearch) => one.kind === 'feed' && one.search === search && one.sort === sort
  return <SaveButton small input={{ search, sort }} isSame={isSame} />
}

const savedQueryOf = (query: FindQuery): string => findSearch(filtersOf(query))

export function SaveFindButton({ query }: { query: FindQuery }) {
  const asked = savedQueryOf(query)
  if (asked === '') return null
  const isSame = ({ kind, query: saved }: SavedSearch) =>
    kind === 'find' && savedQueryOf(parseFind(saved ?? '')) === asked
  return <SaveButton input={{ kind: 'find', query: asked }} isSame={isSame} />
}
