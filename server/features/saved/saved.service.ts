import { createHash } from 'node:crypto'
import { describeFind } from '#shared/find-labels.ts'
import { filtersOf, type FindQuery, parseFind, writeFind } from '#shared/find-query.ts'
import { savedSearchesMax, watchesMax } from '#shared/limits.ts'
import type { NewSavedSearch, SavedSearch } from '#shared/schemas/saved.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { lockDealerAlone } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { requirePost } from '#server/features/posts/posts-changes.service.ts'
import { watchSearch } from '#server/features/wanted/search-watchers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import {
  countSavedSearches,
  insertWatch,
  listWatchedIds,
  removeSaved,
  removeSavedSearch,
  removeWatch,
  upsertFindSearch,
  upsertSavedSearch,
} from './saved.repository.ts'

const wordsMax = 200
/** The description identifies the search, so a truncated description ends with a hash. */
function nameOf(query: FindQuery): string {
  const words = describeFind(query)
  if (words.length <= wordsMax) return words
  const rest = createHash('sha256').update(words).digest('hex').slice(0, 6)
  return `${words.slice(0, wordsMax - 10)}… (${rest})`
}

const saveLimit = { name: 'saved', max: 60, seconds: 60 }

/** @throws 400 if the text is blank or the search has no filters; 409 if the dealer already has the maximum number of searches */
export async function saveSearch(ctx: Context, actor: Actor, input: NewSavedSearch): Promise<SavedSearch> {
  const isFind = input.kind === 'find'
  const query = filtersOf(parseFind(input.query ?? ''))
  const search = isFind ? nameOf(query) : (input.search ?? '').trim().replaceAll(/\s+/g, ' ')
  if (search === '') throw badRequest('Search for something first, then save the search')
  await ctx.limiter.consume(saveLimit, actor.dealerId)
  return ctx.transact(async (tx, emit) => {
    await lockDealerAlone(tx, actor.dealerId)
    const saved = isFind
      ? await upsertFindSearch(tx, actor.dealerId, {
          search,
          params: writeFind(query),
        })
      : await upsertSavedSearch(tx, actor.dealerId, { search, sort: input.sort ?? 'recent' })
    if ((await countSavedSearches(tx, actor.dealerId)) > savedSearchesMax)
      throw conflict(`You can save up to ${savedSearchesMax} searches. Remove one first`)
    if (isFind) await watchSearch(tx, actor.dealerId, saved.id, query)
    await touchInbox(tx, emit, [actor.dealerId], 'saved', saved.id)
    return saved
  })
}

/** @throws 404 if the search does not exist or belongs to another dealer */
export async function deleteSearch(ctx: Context, actor: Actor, id: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if (!(await removeSavedSearch(tx, actor.dealerId, id))) throw notFound('This saved search')
    await touchInbox(tx, emit, [actor.dealerId], 'saved', id)
  })
}

/** Idempotent. @throws 404 if the post to add does not exist; 409 if the dealer already watches `watchesMax` posts */
export async function setWatch(ctx: Context, actor: Actor, postId: string, on: boolean): Promise<void> {
  await ctx.limiter.consume(saveLimit, actor.dealerId)
  if (on) await requirePost(ctx.db, postId)
  await ctx.transact(async (tx, emit) => {
    await lockDealerAlone(tx, actor.dealerId)
    await (on ? insertWatch : removeWatch)(tx, actor.dealerId, postId)
    if (on && (await listWatchedIds(tx, actor.dealerId)).length > watchesMax)
      throw conflict(`You can watch up to ${watchesMax} posts. Remove one first`)
    await touchInbox(tx, emit, [actor.dealerId], 'saved', postId)
  })
}

export const dropSaved = (tx: Tx, dealerId: string): Promise<void> => removeSaved(tx, dealerId)
