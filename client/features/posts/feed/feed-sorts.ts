import type { PostSort } from '#shared/schemas/posts.ts'

/** Not derived from the schema, because that would load the schema library. */
export const feedSorts = [
  { value: 'recent', label: 'Recent' },
  { value: 'hottest', label: 'Hottest' },
  { value: 'for-sale', label: 'For Sale' },
  { value: 'auction-promo', label: 'Auction Promo' },
] as const satisfies readonly { value: PostSort; label: string }[]
