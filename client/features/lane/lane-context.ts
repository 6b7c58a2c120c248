import { createContext, type ReactNode, use } from 'react'
import type { LaneRow } from '#shared/schemas/lane.ts'
import type { LaneSettings } from '#shared/schemas/account.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { Positions } from './position/use-positions.ts'

export interface PositionHandle {
  bid: (step: number, focusedMs: number) => void
  /** Confirms the armed bid. Returns false if there is none. */
  confirm: () => boolean
  drop: () => void
  maximum: () => void
}

export interface LaneActions {
  onMessage: (sellerId: string, post: { id: string; title: string }) => void
  onPhotos: (row: LaneRow) => void
  onWatch: (postId: string, on: boolean) => void
  /** Returns the offer that was made from the dealer's highest bid. Undefined until it is loaded. */
  offerOf: (postId: string) => Pick<Offer, 'turn' | 'amount' | 'expiresAt'> | undefined
  onOpenDeal: (postId: string) => void
  similarPath?: ((row: LaneRow) => string | undefined) | undefined
  onShowKeys: () => void
}

export interface SellersParts {
  onNewAuction: () => void
  renderOffer: (offerId: string) => ReactNode
  renderWithdraw: (postId: string) => ReactNode
}

export interface LaneParts extends LaneActions {
  positions: Positions
  removeFromGrid: (postId: string) => void
  settings: LaneSettings
  /** The dealer's day limit and how much of it is used. Undefined until loaded. */
  day: { limit: number | null; used: number } | undefined
  onChangeLimit: () => void
  /** Queues an announcement for screen readers. */
  announce: (slot: number, text: string) => void
  register: (slot: number, handle: PositionHandle) => () => void
}

export const LaneContext = createContext<LaneParts | undefined>(undefined)

export function useLaneParts(): LaneParts {
  const parts = use(LaneContext)
  if (parts === undefined) throw new Error('outside of the Lane')
  return parts
}
