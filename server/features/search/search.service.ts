import { searchMin } from '#shared/constants/search.ts'
import { type Found, foundPerKind } from '#shared/schemas/search.ts'
import { searchDealers } from '#server/features/dealers/directory.service.ts'
import { searchDeals } from '#server/features/deals/deals.service.ts'
import { findChats } from '#server/features/messaging/chats.service.ts'
import { createFeed } from '#server/features/posts/feed/feed.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead } from '#server/platform/http/guards.ts'
import type { Actor } from '#server/platform/session/session.ts'

const nothing: Found = { dealers: [], posts: [], postTotal: 0, deals: [], chats: [] }

export type Search = (actor: Actor, text: string) => Promise<Found>

/** Searches everything that the caller may see, using each screen's own search and permissions. @throws 429 after too many searches */
export function createSearch(ctx: Context): Search {
  const feed = createFeed(ctx)
  return async (actor, typed) => {
    await countRead(ctx, actor, 'everything')
    const text = typed.trim()
    if (text.length < searchMin) return nothing
    const limit = foundPerKind
    const [dealers, page, deals, chats] = await Promise.all([
      searchDealers(ctx, actor, text, limit),
      feed({ search: text, sort: 'recent', limit }),
      searchDeals(ctx, actor, text, limit),
      findChats(ctx, actor, text, limit),
    ])
    return {
      dealers,
      posts: page.posts.map((post) => ({
        ...post,
        dealershipName: post.dealer.dealershipName,
        price: post.vehicles[0]?.price ?? null,
        photo: post.photoUrls[0] ?? null,
      })),
      postTotal: page.total,
      deals,
      chats,
    }
  }
}
