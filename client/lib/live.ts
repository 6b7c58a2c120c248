import type { QueryClient } from '@tanstack/react-query'
import type { InboxKind } from '#shared/events/notifications.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { meKey } from './query-keys.ts'

/**
 * What each event changes in the cache. Pure, safe to apply twice, deaf to older versions.
 * A missing or misspelt event does not compile.
 */
export type LiveHandlers<Events> = {
  [E in keyof Events]: Events[E] extends (event: infer Payload) => void
    ? (cache: QueryClient, event: Payload) => void
    : never
}

/** What to fetch again when something of the dealer's own changed: the event carries an id only. A feature's part of it. */
export type InboxHandlers = Partial<Record<InboxKind, (cache: QueryClient, id: string) => void>>

type KindsOf<Part> = Part extends unknown ? keyof Part : never
type UnheardOf<Parts extends readonly InboxHandlers[]> = Exclude<InboxKind, KindsOf<Parts[number]>>

/** The parts of all features. A kind that none of them hears does not compile: it would be asked for as a second argument. */
export const joinInbox = <const Parts extends readonly InboxHandlers[]>(
  parts: Parts,
  ..._unheard: [UnheardOf<Parts>] extends [never] ? [] : [UnheardOf<Parts>]
): readonly InboxHandlers[] => parts

/** Something of the dealer's own changed: the number that this tab holds goes on, and what it is about is fetched again. */
export function receiveInbox(
  cache: QueryClient,
  parts: readonly InboxHandlers[],
  { rev, what, id }: { rev: number; what: InboxKind; id: string },
): void {
  const me = cache.getQueryCache().find<CurrentUser>({ queryKey: meKey })
  // Not `setQueryData`: that would call the rest of it fresh.
  if (me?.state.data) me.setState({ data: { ...me.state.data, rev: Math.max(me.state.data.rev, rev) } })
  for (const part of parts) part[what]?.(cache, id)
}

/** Marks a query that events keep fresh: fetched again after every gap. Spread into `queryOptions`. */
export const liveQuery = { meta: { live: true } } as const

/**
 * For what other browsers and mailed links change and no event tells of: asked anew whenever it comes on screen, and when the tab is
 * seen again. Spread into `queryOptions`.
 */
export const askedAnew = { staleTime: 0, refetchOnWindowFocus: true } as const

/** Fetches every mounted live query again, and marks the others stale: events may have been missed. */
export async function refetchLive(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ predicate: ({ meta }) => meta?.['live'] === true })
}
