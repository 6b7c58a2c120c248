import { plural } from '#shared/format.ts'
import { directoryMaxLimit, searchTotalMax } from '#shared/limits.ts'
import type { DealershipType } from '#shared/places.ts'
import type {
  Dealer,
  DirectoryDealer,
  DirectoryQuery,
  DirectoryView,
  RecommendedDealer,
} from '#shared/schemas/dealers.ts'
import { relationsTo } from './connections.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import { type Scan, searchPage } from '#server/platform/database/text-search.ts'
import {
  type Candidate,
  countListed,
  countNetwork,
  type DirectoryFilter,
  findBestMatches,
  listCandidates,
  listDealersById,
  listDirectory,
  listPreviousCanadian,
} from './directory.repository.ts'

export interface DirectoryPage {
  dealers: DirectoryDealer[]
  total: number
  next: string | undefined
}

const noRelation = { connected: false, degree: null, mutualConnections: 0 } as const
/** A cached total older than this is recounted in the background. All callers share the total. */
const totalMs = 10_000

const chosen = (value: string | undefined) =>
  value === undefined || value === '' || value === 'all' ? undefined : value

const collapseSpaces = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

function toFilter(query: DirectoryQuery): DirectoryFilter {
  const canadian = chosen(query.buysCanadian)
  return {
    name: chosen(query.name && collapseSpaces(query.name)),
    state: chosen(query.state)?.toUpperCase(),
    dealershipType: chosen(query.dealershipType) as DealershipType | undefined,
    buysCanadian: canadian === undefined ? undefined : canadian === 'yes' || canadian === 'true',
  }
}

export type Directory = (actor: Actor, query: DirectoryQuery) => Promise<DirectoryPage>

/** The directory excludes suspended and deleted dealers. Dealers who are not listed appear only in the view `mine`. */
export function createDirectory(ctx: Context): Directory {
  const totals = createSingleFlight<number>(totalMs, { stale: true })
  const countOf = async (dealerId: string, view: DirectoryView, filter: DirectoryFilter) => {
    const { mine, hidden, hiddenOrMine } = await countNetwork(ctx.db, dealerId, filter)
    if (view === 'mine') return mine
    const without = view === 'discover' ? hiddenOrMine : hidden
    const isSearch = filter.name !== undefined
    // Round up, so that callers share a cached count.
    const most = isSearch ? Math.ceil((searchTotalMax + 1 + without) / searchTotalMax) * searchTotalMax : undefined
    const listed = await totals.forceFetch(JSON.stringify([filter, most]), {
      context: () => countListed(ctx.db, filter, most),
    })
    const total = Math.max(0, listed - without)
    return isSearch ? Math.min(total, searchTotalMax + 1) : total
  }
  return async (actor, query) => {
    const { view, cursor, limit = directoryMaxLimit } = query
    const filter = toFilter(query)
    const counting = countOf(actor.dealerId, view, filter)
    const list = (scan?: Scan) => listDirectory(ctx.db, actor.dealerId, { ...filter, view, limit, cursor, scan })
    const isSearch = filter.name !== undefined && view !== 'mine'
    const [{ dealers, next }, total] = await Promise.all([
      isSearch ? searchPage(counting, list, (page) => page.next !== undefined) : list(),
      counting,
    ])
    const ids = dealers.map(({ id }) => id)
    if (ids.length === 0) return { dealers: [], total, next }
    const [relations, canadian] = await Promise.all([
      relationsTo(ctx.db, actor.dealerId, ids),
      listPreviousCanadian(ctx.db, ids),
    ])
    const rows = dealers.map((dealer) => ({
      ...dealer,
      ...(relations.get(dealer.id) ?? noRelation),
      previousCanadian: canadian.get(dealer.id) ?? null,
    }))
    return { dealers: rows, total, next }
  }
}

export const searchDealers = (
  { db }: Pick<Context, 'db'>,
  { dealerId }: Actor,
  text: string,
  limit: number,
): Promise<Dealer[]> => findBestMatches(db, dealerId, collapseSpaces(text), limit)

function recommendationReason({ makes, sameState, mutual }: Candidate, state: string): string {
  const shown = makes.slice(0, 2).join(' and ')
  if (makes.length > 0)
    return makes.length > 2 ? `Also trades ${makes[0]}, ${makes[1]} and more` : `Also trades ${shown}`
  if (mutual > 0) return plural(mutual, 'mutual connection')
  return sameState ? `Also in ${state}` : 'New to you'
}

export async function recommendedDealers(ctx: Context, actor: Actor, limit: number): Promise<RecommendedDealer[]> {
  const candidates = await listCandidates(ctx.db, actor.dealerId, limit)
  const dealers = await listDealersById(
    ctx.db,
    candidates.map(({ id }) => id),
  )
  return candidates.flatMap((candidate) => {
    const dealer = dealers.get(candidate.id)
    if (dealer === undefined) return []
    return { dealer, mutualConnections: candidate.mutual, why: recommendationReason(candidate, dealer.state) }
  })
}
