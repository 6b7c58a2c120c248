import { isListOf, isOneOf, isShape, isText } from '#client/lib/http/type-guards.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'

const kinds = ['page', 'words', 'vehicles', 'dealer', 'post', 'deal', 'chat'] as const
export type Kind = (typeof kinds)[number]

export interface Target {
  kind: Kind
  href: string
  label: string
  detail: string
}

const recentMax = 5

type Targets = Target[]

const stored = defineStored<Targets>({
  key: 'lanewire.recent-searches',
  version: 1,
  isValue: isListOf(isShape<Target>({ kind: isOneOf(kinds), href: isText, label: isText, detail: isText })),
})

export const readRecent = (dealerId: string): Target[] => stored.read(dealerId) ?? []

/** Stores a search result that the dealer opened. Pages are not stored, because they are always listed. */
export function noteRecent(dealerId: string, { kind, href, label, detail }: Target): void {
  if (kind === 'page') return
  const others = readRecent(dealerId).filter((target) => target.href !== href)
  stored.write([{ kind, href, label, detail }, ...others].slice(0, recentMax), dealerId)
}

export const forgetRecent = (dealerId: string): void => stored.write(undefined, dealerId)
