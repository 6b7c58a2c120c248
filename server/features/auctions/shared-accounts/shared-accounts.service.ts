import type { AuctionFlag, FlaggedBids } from '#shared/schemas/moderation.ts'
import { reportAsNetwork } from '#server/features/reports/own-reports.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import {
  type FlagRow,
  listPairsSharingTraits,
  listBidsOf,
  listFlags,
  listNewFlags,
  listUncompared,
  markSeen,
  type Pair,
  removeFlags,
  upsertFlag,
} from './shared-accounts.repository.ts'

const biddersAtOnce = 100
const bidsShown = 20

/** These stored messages contain no names, because the name of a deleted account must disappear. */
const texts = {
  seller: "Flagged automatically: a bidder and this auction's seller appear to be linked.",
  bidders: 'Flagged automatically: this dealer and another bidder in the auction appear to be linked.',
}

/** A match with the seller opens a case about the auction. A match between bidders opens a case about the later bidder. */
async function flag(tx: Tx, pair: Pair): Promise<void> {
  if (!(await upsertFlag(tx, pair))) return
  const { postId, sellerId, bidderId, otherId } = pair
  const about =
    otherId === sellerId
      ? ({ kind: 'post', subjectId: postId, authorId: sellerId, details: texts.seller } as const)
      : ({ kind: 'dealer', subjectId: bidderId, authorId: bidderId, details: texts.bidders } as const)
  await reportAsNetwork(tx, { ...about, reason: 'fraud' })
}

/** Compares each bidder after the first bid and again after the auction. Reports matches to moderators, but rejects no bid. */
export async function compareBidders(ctx: Context): Promise<void> {
  for (let count = biddersAtOnce; count === biddersAtOnce;) {
    const bidders = await listUncompared(ctx.db, biddersAtOnce)
    const pairs = await listPairsSharingTraits(ctx.db, bidders)
    if (bidders.length > 0)
      await ctx.transact(async (tx) => {
        for (const pair of pairs) await flag(tx, pair)
        await markSeen(tx, bidders)
      })
    count = bidders.length
  }
}

const toFlag = (row: FlagRow): AuctionFlag => ({
  bidder: {
    id: row.bidderId,
    name: row.bidderName,
    dealershipName: row.bidderDealership,
    number: row.bidderNumber,
  },
  other: { id: row.otherId, name: row.otherName, dealershipName: row.otherDealership, number: row.otherNumber },
  signals: row.signals,
  flaggedAt: row.flaggedAt.toISOString(),
})

export async function flagsOf(db: Db, postIds: readonly string[]): Promise<Map<string, AuctionFlag[]>> {
  const flags = new Map<string, AuctionFlag[]>()
  if (postIds.length === 0) return flags
  for (const row of await listFlags(db, { postIds }))
    flags.set(row.postId, [...(flags.get(row.postId) ?? []), toFlag(row)])
  return flags
}

const newHours = 24

/** Lists the flags of the last day. Includes ended auctions, which are compared once more at their end. */
export async function newFlags(db: Db, limit: number): Promise<(AuctionFlag & { postId: string; title: string })[]> {
  const rows = await listNewFlags(db, newHours, limit)
  return rows.map((row) => ({ ...toFlag(row), postId: row.postId, title: row.title }))
}

export async function flaggedBids(db: Db, kind: 'post' | 'dealer', id: string): Promise<FlaggedBids[]> {
  const rows = await listFlags(db, kind === 'post' ? { postIds: [id] } : { bidderIds: [id] })
  const listed = rows.filter(({ otherNumber }) => (otherNumber === null) === (kind === 'post'))
  return Promise.all(
    listed.map(async (row) => ({
      ...toFlag(row),
      postId: row.postId,
      title: row.title,
      bids: (await listBidsOf(db, row, bidsShown)).map(({ number, amountCents, auto, at }) => ({
        bidder: number,
        amount: dollarsOf(amountCents),
        auto,
        at: at.toISOString(),
      })),
    })),
  )
}

export const sweepFlags = (tx: Tx, before: Date, limit: number): Promise<number> => removeFlags(tx, before, limit)
