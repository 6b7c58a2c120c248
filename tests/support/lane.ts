import { randomUUID } from 'node:crypto'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Lane, LaneRow } from '#shared/schemas/lane.ts'

export const aRow = (auction: Auction, about: Partial<LaneRow> = {}): LaneRow => ({
  postId: auction.postId,
  title: '2021 Ford F-150 XLT',
  year: 2021,
  make: 'Ford',
  model: 'F-150',
  trim: 'XLT',
  mileage: 48_210,
  color: 'Silver',
  titleWords: 'Clean title',
  city: 'Tulsa',
  state: 'OK',
  photoUrl: null,
  photoCount: 0,
  seller: { id: randomUUID(), dealershipName: 'Webb Bros Auto', rating: 4.6 },
  auction: stateOf(auction),
  you: { ...auction.you, watching: false },
  ...about,
})

export function stateOf({ you: _you, seller: _seller, ...state }: Auction) {
  return { ...state, bids: [] }
}

export const aLane = (about: Partial<Lane> = {}): Lane => ({
  serverNow: new Date().toISOString(),
  running: [],
  coming: [],
  behind: { running: null, coming: null },
  mine: [],
  pins: [],
  pinned: [],
  counts: { running: about.running?.length ?? 0, coming: 0, watching: 0, selling: 0 },
  wonToday: { count: 0, amount: 0 },
  day: { limit: null, used: 0, won: 0, committed: 0, headroom: 0 },
  next: null,
  ...about,
})
