import { createHash } from 'node:crypto'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import type {
  Lane,
  LaneAll,
  LaneOverview,
  LanePins,
  LaneRow,
  LaneRun,
  LaneRunQuery,
  LaneSelling,
  ReserveChange,
} from '#shared/schemas/lane.ts'
import { laneFlagsMax, lanePageSize, laneRowsMax } from '#shared/limits.ts'
import { badRequest } from '#server/errors.ts'
import { dayUse, readStates, reserveDollars } from '#server/features/auctions/auctions.service.ts'
import { bidDelayP99 } from '#server/features/auctions/bid-delay-metrics.ts'
import { flagsOf, newFlags } from '#server/features/auctions/shared-accounts/shared-accounts.service.ts'
import { openAuctionOffers } from '#server/features/deals/offers/offers.service.ts'
import { titleWords } from '#server/features/posts/summaries/title-words.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { countRead } from '#server/platform/http/guards.ts'
import { decodeCursor, encodeCursor, TimeKey } from '#server/platform/http/page-cursors.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { listViewers } from '#server/realtime/viewers.ts'
import {
  countOpen,
  countOwn,
  findRunning,
  listAuctionDeals,
  listBlocked,
  listLane,
  listOverseen,
  listPins,
  listReserveChanges,
  listRowInfo,
  listRun,
  listSelling,
  type Listed,
  type ListPosition,
  type Reader,
  removePinsOf,
  replacePins,
  type RowInfo,
} from './lane.repository.ts'

const pinsLimit = { name: 'lane-pins', max: 120, seconds: 60 }

const orNull = (cents: number | null) => (cents === null ? null : dollarsOf(cents))

/** Copies each field by name, because a rest pattern is fifty times slower and a Lane has hundreds of rows. */
function toRow(info: RowInfo, auction: AuctionState): LaneRow {
  return {
    postId: info.postId,
    title: info.title,
    year: info.year,
    make: info.make,
    model: info.model,
    trim: info.trim,
    mileage: info.mileage,
    color: info.color,
    titleWords: titleWords([info.notes, info.title, info.description]),
    city: info.city,
    state: info.state,
    photoUrl: info.photoUrl,
    photoCount: info.photoCount,
    seller: { id: info.sellerId, dealershipName: info.dealershipName, rating: info.rating },
    auction,
    you: {
      isSeller: info.isSeller,
      number: info.number,
      maximum: orNull(info.maximumCents),
      preset: orNull(info.presetCents),
      watching: info.watching,
    },
  }
}

async function readRows(ctx: Context, dealerId: string, postIds: string[]) {
  const [infos, states, now] = await Promise.all([
    listRowInfo(ctx.db, dealerId, postIds),
    readStates(ctx.db, postIds),
    ctx.sharedNow(),
  ])
  const serverNow = now.toISOString()
  const rows = new Map<string, LaneRow>()
  for (const info of infos) {
    const state = states.get(info.postId)
    if (state !== undefined) rows.set(info.postId, toRow(info, { ...state, serverNow }))
  }
  return { serverNow, rowsOf: (ids: string[]) => ids.flatMap((id) => rows.get(id) ?? []) }
}

const readReader = async ({ db }: Context, { dealerId }: Actor): Promise<Reader> => ({
  dealerId,
  blocked: await listBlocked(db, dealerId),
})

function pageOf(found: ListPosition[], size: number): { ids: string[]; next: string | null } {
  const page = found.slice(0, size)
  const last = page.at(-1)
  return {
    ids: page.map(({ id }) => id),
    next: found.length > size && last !== undefined ? encodeCursor(last) : null,
  }
}

function firstPageOf(listed: readonly Listed[], list: 'running' | 'coming') {
  const found = listed.flatMap((one) => (one.list === list && one.at !== null ? [{ at: one.at, id: one.postId }] : []))
  return pageOf(found, laneRowsMax)
}

async function readLane(ctx: Context, actor: Actor): Promise<Lane> {
  const { dealerId } = actor
  const [reader, day] = await Promise.all([readReader(ctx, actor), dayUse(ctx.db, dealerId)])
  const [listed, open, own] = await Promise.all([
    listLane(ctx.db, reader, day.since),
    countOpen(ctx.db, reader),
    countOwn(ctx.db, dealerId),
  ])
  const idsIn = (list: 'mine' | 'pin') => listed.filter((one) => one.list === list).map(({ postId }) => postId)
  const [running, soon] = [firstPageOf(listed, 'running'), firstPageOf(listed, 'coming')]
  const [mine, pinned] = [idsIn('mine'), idsIn('pin')]
  const shown = new Set([...running.ids, ...soon.ids, ...mine, ...pinned])
  const { serverNow, rowsOf } = await readRows(ctx, dealerId, [...shown])
  const coming = rowsOf(soon.ids)
  return {
    serverNow,
    running: rowsOf(running.ids),
    coming,
    behind: { running: running.next, coming: soon.next },
    mine: rowsOf(mine),
    pins: listed.flatMap(({ list, postId, slot }) => (list === 'pin' ? { postId, slot } : [])),
    pinned: rowsOf(pinned),
    counts: { ...open, ...own },
    wonToday: { count: day.wonCount, amount: dollarsOf(day.wonCents) },
    day: {
      limit: orNull(day.limitCents),
      used: dollarsOf(day.wonCents + day.committedCents + day.headroomCents),
      won: dollarsOf(day.wonCents),
      committed: dollarsOf(day.committedCents),
      headroom: dollarsOf(day.headroomCents),
    },
    next: coming[0]?.auction.startsAt ?? null,
  }
}

/** Returns the Lane as JSON. Its ETag does not depend on the server time. */
export async function writeLane(ctx: Context, actor: Actor): Promise<{ etag: string; text: string }> {
  await countRead(ctx, actor, 'lane')
  const lane = await readLane(ctx, actor)
  const text = JSON.stringify(lane)
  const timeless = text.replaceAll(`"serverNow":"${lane.serverNow}"`, '')
  return { etag: `"${createHash('sha1').update(timeless).digest('base64url')}"`, text }
}

const positionOf = (cursor: string | undefined): ListPosition | undefined =>
  cursor === undefined ? undefined : decodeCursor(TimeKey, cursor)

const wordsMax = 10

/** @throws 400 if the cursor is invalid */
export async function readRun(ctx: Context, actor: Actor, { kind, q = '', cursor }: LaneRunQuery): Promise<LaneRun> {
  await countRead(ctx, actor, 'lane-run')
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax)
  const found = await listRun(ctx.db, await readReader(ctx, actor), { kind, words, after: positionOf(cursor) })
  const { ids, next } = pageOf(found, lanePageSize)
  const { rowsOf, serverNow } = await readRows(ctx, actor.dealerId, ids)
  return { rows: rowsOf(ids), next, serverNow }
}

const isTwice = (values: unknown[]) => new Set(values).size < values.length

/** Replaces the pins and updates the dealer's other tabs. @throws 400 if a post or position is repeated; 429 after too many changes */
export async function setPins(ctx: Context, actor: Actor, { pins }: LanePins): Promise<LanePins> {
  if (isTwice(pins.map(({ postId }) => postId)))
    throw badRequest('An auction is pinned more than once', { fields: ['pins'] })
  if (isTwice(pins.flatMap(({ slot }) => slot ?? [])))
    throw badRequest('A position is used more than once', { fields: ['pins'] })
  await ctx.limiter.consume(pinsLimit, actor.dealerId)
  return ctx.transact(async (tx, emit) => {
    // Call touchInbox first, because it locks the dealer: concurrent changes then run one after the other.
    await touchInbox(tx, emit, [actor.dealerId], 'lane', actor.dealerId)
    await replacePins(tx, actor.dealerId, pins)
    return { pins: await listPins(tx, actor.dealerId) }
  })
}

/** Returns the dealer's own auctions with their reserves, which nobody else may see. */
export async function readSelling(ctx: Context, actor: Actor): Promise<LaneSelling> {
  await countRead(ctx, actor, 'lane-selling')
  const { db } = ctx
  const { dealerId } = actor
  const { since } = await dayUse(db, dealerId)
  const sales = await listSelling(db, dealerId, since)
  const ids = sales.map(({ postId }) => postId)
  const [{ rowsOf }, changes, deals, offers] = await Promise.all([
    readRows(ctx, dealerId, ids),
    listReserveChanges(db, ids),
    listAuctionDeals(db, dealerId, ids),
    openAuctionOffers(db, dealerId),
  ])
  return sales.flatMap(({ postId, reserveCents, bidders, watching }) => {
    const [row] = rowsOf([postId])
    if (row === undefined) return []
    return {
      row,
      reserveAmount: reserveDollars(reserveCents),
      bidders,
      watching,
      offerId: offers.get(postId) ?? null,
      dealId: deals.find((deal) => deal.postId === postId)?.id ?? null,
      reserveChanges: changes
        .filter((change) => change.postId === postId)
        .map(({ seq, at, fromCents, toCents }): ReserveChange => ({
          seq,
          at: at.toISOString(),
          from: reserveDollars(fromCents),
          to: dollarsOf(toCents),
        })),
    }
  })
}

async function readOverview(ctx: Context): Promise<LaneOverview> {
  const [{ postIds, bidsPerMinute }, flags] = await Promise.all([findRunning(ctx.db), newFlags(ctx.db, laneFlagsMax)])
  // The viewer counts are null while Redis is down.
  const viewers = await listViewers(ctx, postIds).catch(() => null)
  const watchers = viewers && viewers.reduce((total, number) => total + number, 0)
  return { running: postIds.length, bidsPerMinute, watchers, flags }
}

/** Lists all running auctions for staff. The route checks the role. */
export async function readAll(ctx: Context, actor: Actor, cursor: string | undefined): Promise<LaneAll> {
  await countRead(ctx, actor, 'lane-all')
  const reader = { dealerId: actor.dealerId, blocked: [] }
  const found = await listRun(ctx.db, reader, { kind: 'all', words: [], after: positionOf(cursor) })
  const { ids, next } = pageOf(found, lanePageSize)
  const [overview, { rowsOf, serverNow }, overseen, flags, watchers] = await Promise.all([
    cursor === undefined ? readOverview(ctx) : null,
    readRows(ctx, actor.dealerId, ids),
    listOverseen(ctx.db, ids),
    flagsOf(ctx.db, ids),
    // The viewer counts are null while Redis is down.
    listViewers(ctx, ids).catch(() => null),
  ])
  const rows = rowsOf(ids).flatMap((row) => {
    const seen = overseen.find(({ postId }) => postId === row.postId)
    if (seen === undefined) return []
    const { bidders, bidsPerMinute, sellerName, leaderId, leaderName, leaderDealership } = seen
    const leader =
      leaderId === null ? null : { id: leaderId, name: leaderName ?? '', dealershipName: leaderDealership ?? '' }
    const seller = { id: row.seller.id, name: sellerName, dealershipName: row.seller.dealershipName }
    const known = { watchers: watchers?.[ids.indexOf(row.postId)] ?? null, flags: flags.get(row.postId) ?? [] }
    return { row, bidsPerMinute, bidders, seller, leader, ...known }
  })
  return { rows, overview, delayP99Ms: bidDelayP99(ctx), next, serverNow }
}

export const dropPins = (tx: Tx, dealerId: string): Promise<void> => removePinsOf(tx, dealerId)
