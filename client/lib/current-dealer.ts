import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { meKey } from './query-keys.ts'

/** Given by the frame of the signed-in app, once the current user is loaded. */
export const CurrentDealerContext = createContext<CurrentUser | undefined>(undefined)

/** The signed-in dealer. Only below the signed-in frame: elsewhere there is none, and this throws. */
export function useCurrentDealer(): CurrentUser {
  const dealer = use(CurrentDealerContext)
  if (!dealer) throw new Error('useCurrentDealer outside the signed-in app')
  return dealer
}

/** Who is signed in by what this tab knows. An answer is kept only for who asked: by then somebody else may be. */
export const dealerIn = (cache: QueryClient): string | undefined => cache.getQueryData<CurrentUser>(meKey)?.id
