import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { meKey } from '../query/query-keys.ts'

export const CurrentDealerContext = createContext<CurrentUser | undefined>(undefined)

/** @throws Error outside of the signed-in app */
export function useCurrentDealer(): CurrentUser {
  const dealer = use(CurrentDealerContext)
  if (!dealer) throw new Error('useCurrentDealer outside the signed-in app')
  return dealer
}

/** Returns the signed-in dealer's id. Compare it before and after a request, because another dealer may have signed in meanwhile. */
export const dealerIn = (cache: QueryClient): string | undefined => cache.getQueryData<CurrentUser>(meKey)?.id
