import type { AuctionTerms } from '#shared/schemas/auctions.ts'

/** What the dealer has typed. Empty fields take their defaults: now, 20 minutes, the asking price as reserve. */
export interface AuctionDraft {
  startAmount: string
  reserveAmount: string
  /** As `datetime-local` writes it, in the dealer's own time. */
  startsAt: string
  endsAt: string
}

export const emptyAuctionDraft: AuctionDraft = { startAmount: '', reserveAmount: '', startsAt: '', endsAt: '' }

/** Whether a post with these texts is a live auction (spec A §4), and so has terms. */
export const hasAuction = (title: string, description: string): boolean => /auction/i.test(`${title}\n${description}`)

const amountOf = (text: string): number | undefined => {
  const amount = Number(text.replaceAll(/[$,\s]/g, ''))
  return text.trim() === '' || !Number.isFinite(amount) || amount <= 0 ? undefined : amount
}

const timeOf = (text: string): string | undefined => (text === '' ? undefined : new Date(text).toISOString())

/** The `auction` of a new post. */
export function auctionTermsOf(draft: AuctionDraft): AuctionTerms {
  const startAmount = amountOf(draft.startAmount)
  const reserveAmount = amountOf(draft.reserveAmount)
  const startsAt = timeOf(draft.startsAt)
  const endsAt = timeOf(draft.endsAt)
  return {
    ...(startAmount !== undefined && { startAmount }),
    ...(reserveAmount !== undefined && { reserveAmount }),
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
  }
}
