import { createContext, use } from 'react'
import type { DealershipType } from '#shared/places.ts'

/** The signed-in dealer, as GET /api/auth/me tells it. */
export interface CurrentDealer {
  id: string
  name: string
  avatar: string | null
  dealershipName: string
  dealershipType: DealershipType
  city: string
  state: string
  email: string
  phone: string | null
  connectionCount: number
  dealsCompleted: number
  rating: number | null
  role: 'dealer' | 'ops' | 'admin'
}

/** Given by the frame of the signed-in app, once the current user is loaded. */
export const CurrentDealerContext = createContext<CurrentDealer | undefined>(undefined)

/** The signed-in dealer. Only below the signed-in frame: elsewhere there is none, and this throws. */
export function useCurrentDealer(): CurrentDealer {
  const dealer = use(CurrentDealerContext)
  if (!dealer) throw new Error('useCurrentDealer outside the signed-in app')
  return dealer
}
