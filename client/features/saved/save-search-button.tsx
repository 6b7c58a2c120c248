import { useQuery } from '@tanstack/react-query'
import { BellPlus, BellRing } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import type { PostSort } from '#shared/schemas/posts.ts'
import { savedSearchesQuery, useForgetSearch, useSaveSearch } from './saved.api.ts'

/** Beside an active search: keeps it, and tells of new posts that it finds. */
export function SaveSearchButton({ search, sort }: { search: string; sort: PostSort }) {
  const saved = useQuery(savedSearchesQuery())
  const save = useSaveSearch()
  const forget = useForgetSearch()
  const known = saved.data?.find((one) => one.search === search && one.sort === sort)
  if (!search) return null
  return (
    <Button
      size="sm"
      variant={known ? 'on' : 'secondary'}
      aria-pressed={known !== undefined}
      busy={save.isPending}
      icon={known ? <BellRing size={14} aria-hidden="true" /> : <BellPlus size={14} aria-hidden="true" />}
      onClick={() => (known ? forget.mutate(known.id) : save.mutate({ search, sort }))}
    >
      {known ? 'Search saved' : 'Save search'}
    </Button>
  )
}
