import type { QueryClient } from '@tanstack/react-query'
import type { InboxKind } from '#shared/events/notifications.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { meKey } from '../query/query-keys.ts'

/**
 * How each event changes the cache. Handlers are pure and idempotent, and ignore older versions.
 * A missing or misspelled event does not compile.
 */
export type LiveHandlers<Events> = {
  [E in keyof Events]: Events[E] extends (event: infer Payload) => void
    ? (cache: QueryClient, event: Payload) => void
    : never
}

/** Refetches queries when the dealer's own data changes. Each feature handles its own kinds. */
export type InboxHandlers = Partial<Record<InboxKind, (cache: QueryClient, id: string) => void>>

type KindsOf<Part> = Part extends unknown ? keyof Part : never
type UnhandledOf<Parts extends readonly InboxHandlers[]> = Exclude<InboxKind, KindsOf<Parts[number]>>

/** Combines the handlers of all features. Does not compile if a kind has no handler. */
export const joinInbox = <const Parts extends readonly InboxHandlers[]>(
  parts: Parts,
  ..._unhandled: [UnhandledOf<Parts>] extends [never] ? [] : [UnhandledOf<Parts>]
): readonly InboxHandlers[] => parts

/** Raises the dealer's `rev` in the cache and runs the handlers for this kind of event. */
export function receiveInbox(
  cache: QueryClient,
  parts: readonly InboxHandlers[],
  { rev, what, id }: { rev: number; what: InboxKind; id: string },
): void {
  const me = cache.getQueryCache().find<CurrentUser>({ queryKey: meKey })
  // Not `setQueryData`: that would mark the rest of the user as fresh.
  if (me?.state.data) me.setState({ data: { ...me.state.data, rev: Math.max(me.state.data.rev, rev) } })
  for (const part of parts) part[what]?.(cache, id)
}

/** Spread into `queryOptions` for a query that events keep fresh. It is fetched again after a gap. */
export const liveQuery = { meta: { live: true } } as const

/** Spread into `queryOptions` for data without live events: fetched on every mount and when the tab gets focus. */
export const alwaysRefetched = { staleTime: 0, refetchOnWindowFocus: true } as const

/** Fetches mounted live queries again and marks the others stale, because events may have been missed. */
export async function refetchLive(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ predicate: ({ meta }) => meta?.['live'] === true })
}
