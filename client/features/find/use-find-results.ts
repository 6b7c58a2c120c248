import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { FindQuery } from '#shared/find-query.ts'
import type { FindAnswer, FoundVehicle } from '#shared/schemas/find.ts'
import { findVehiclesQuery } from './find.api.ts'

const slowMs = 200

export interface FoundVehicles {
  answer: FindAnswer | undefined
  items: readonly FoundVehicle[]
  isPrevious: boolean
  /** True if outdated results are shown while this search is being fetched. */
  isUpdating: boolean
  isSlow: boolean
  failed: boolean
  error: Error | null
  isFetching: boolean
  retry: () => void
  hasMore: boolean
  isFetchingMore: boolean
  moreError: Error | null
  patience: { isFetching: boolean; failureReason: Error | null }
  more: () => void
}

/** Fetches the results of a search. Keeps the previous results until the new ones arrive. */
export function useFindResults(query: FindQuery): FoundVehicles {
  const found = useInfiniteQuery(findVehiclesQuery(query))
  const [held, setHeld] = useState(found.data)
  if (found.data !== undefined && found.data !== held) setHeld(found.data)
  const data = found.data ?? held
  const isPrevious = found.data === undefined && held !== undefined
  const isSlow = useIsSlow(found.isPending)
  const items = useMemo(() => distinct(data?.pages ?? []), [data])
  const { isFetchNextPageError: isMoreError } = found
  return {
    answer: data?.pages[0],
    items,
    isPrevious,
    isUpdating: isPrevious || (found.isRefetching && !found.isFetchingNextPage),
    isSlow,
    failed: found.isError && !isMoreError,
    error: isMoreError ? null : found.error,
    isFetching: found.isFetching,
    retry: () => void found.refetch(),
    hasMore: found.hasNextPage,
    isFetchingMore: found.isFetchingNextPage,
    moreError: isMoreError ? found.error : null,
    patience: found,
    more: () => void found.fetchNextPage(),
  }
}

/** Removes duplicates, because a vehicle may move to a later page between two requests. */
function distinct(pages: readonly FindAnswer[]): FoundVehicle[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((vehicle) => [vehicle.vehicleId, vehicle])).values()]
}

function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!isWaiting) return
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return isSlow && isWaiting
}
