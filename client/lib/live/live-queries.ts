import type { QueryClient } from '@tanstack/react-query'
import type { InboxKind } from '#shared/events/notifications.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { meKey } from '../query/query-keys.ts'

/** Handlers that apply each event to the cache. They must be pure and idempotent, and must ignore outdated versions. */
export type LiveHandlers<Events> = {
  [E in keyof Events]: Events[E] extends (event: infer Payload) => void
    ? (cache: QueryClient, event: Payload) => void
    : never
}

/** Handlers that refetch queries after a change of the dealer's own data. */
export type InboxHandlers = Partial<Record<InboxKind, (cache: QueryClient, id: string) => void>>

type KindsOf<Part> = Part extends unknown ? keyof Part : never
type UnhandledOf<Parts extends readonly InboxHandlers[]> = Exclude<InboxKind, KindsOf<Parts[number]>>

/** Combines the handlers of all features. If a kind of data has no handler, compilation fails. */
export const joinInbox = <const Parts extends readonly InboxHandlers[]>(
  parts: Parts,
  ..._unhandled: [UnhandledOf<Parts>] extends [never] ? [] : [UnhandledOf<Parts>]
): readonly InboxHandlers[] => parts

export function receiveInbox(
  cache: QueryClient,
  parts: readonly InboxHandlers[],
  { rev, what, id }: { rev: number; what: InboxKind; id: string },
): void {
  const me = cache.getQueryCache().find<CurrentUser>({ queryKey: meKey })
  // Set the state directly, because `setQueryData` would mark the whole user as fresh.
  if (me?.state.data) me.setState({ data: { ...me.state.data, rev: Math.max(me.state.data.rev, rev) } })
  for (const part of parts) part[what]?.(cache, id)
}

/** For queries that live events keep up to date. They are refetched when events may have been missed. */
export const liveQuery = { meta: { live: true } } as const

/** For data that has no live events. Such queries are refetched on every mount and when the tab gets focus. */
export const alwaysRefetched = { staleTime: 0, refetchOnWindowFocus: true } as const

export async function refetchLive(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ predicate: ({ meta }) => meta?.['live'] === true })
}
