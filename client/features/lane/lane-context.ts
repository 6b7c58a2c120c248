import { createContext, type ReactNode, use } from 'react'
import type { LaneRow } from '#shared/schemas/lane.ts'
import type { LaneSettings } from '#shared/schemas/account.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { Places } from './use-places.ts'

/** What a key can do in a place. */
export interface PlaceHandle {
  bid: (step: number, focusedMs: number) => void
  /** Answers whether there was something to confirm. */
  confirm: () => boolean
  drop: () => void
  maximum: () => void
}

/** Where the Lane leads: filled by the page. */
export interface LaneWays {
  onMessage: (sellerId: string, post: { id: string; title: string }) => void
  onWatch: (postId: string, on: boolean) => void
  /** The highest bid of that auction where its seller decides: whose turn it is, for how much and until when. Undefined until it is known. */
  offerOf: (postId: string) => Pick<Offer, 'turn' | 'amount' | 'expiresAt'> | undefined
  /** Leads on to the deal that came of a won auction. */
  onOpenDeal: (postId: string) => void
  /** Vehicles like this one; absent where there is no such page. */
  similarPath?: ((row: LaneRow) => string | undefined) | undefined
  onShowKeys: () => void
}

/** What of other features a seller needs here. */
export interface SellersParts {
  onNewAuction: () => void
  /** To accept, counter or decline the highest bid below the reserve. */
  renderOffer: (offerId: string) => ReactNode
  /** To end an auction, with a reason. */
  renderWithdraw: (postId: string) => ReactNode
}

export interface LaneParts extends LaneWays {
  places: Places
  /** Off the screen; a phone that shows it goes back to the run list. */
  takeOff: (postId: string) => void
  settings: LaneSettings
  /** What is spent and bound today, of the dealer's own limit. */
  day: { limit: number | null; used: number } | undefined
  onChangeLimit: () => void
  /** Reads out, in its turn. */
  tell: (slot: number, line: string) => void
  register: (slot: number, handle: PlaceHandle) => () => void
}

export const LaneContext = createContext<LaneParts | undefined>(undefined)

export function useLaneParts(): LaneParts {
  const parts = use(LaneContext)
  if (parts === undefined) throw new Error('outside of the Lane')
  return parts
}
