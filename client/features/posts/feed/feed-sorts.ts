import type { PostSort } from '#shared/schemas/posts.ts'

/** The sorts of the feed with their labels. Not read from the schema: that would load the schema library to read. */
export const feedSorts = [
  { value: 'recent', label: 'Recent' },
  { value: 'hottest', label: 'Hottest' },
  { value: 'for-sale', label: 'For Sale' },
  { value: 'auction-promo', label: 'Auction Promo' },
] as const satisfies readonly { value: PostSort; label: string }[]
