import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { meKey } from '../query/query-keys.ts'

/** Provided by the signed-in app's frame once the current user is loaded. */
export const CurrentDealerContext = createContext<CurrentUser | undefined>(undefined)

/** @throws outside of the signed-in app's frame */
export function useCurrentDealer(): CurrentUser {
  const dealer = use(CurrentDealerContext)
  if (!dealer) throw new Error('useCurrentDealer outside the signed-in app')
  return dealer
}

/** The signed-in dealer's id. Compare it when a response arrives: another dealer may be signed in by then. */
export const dealerIn = (cache: QueryClient): string | undefined => cache.getQueryData<CurrentUser>(meKey)?.id
