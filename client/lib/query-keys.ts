/** Keys that several features read or invalidate; a key of one feature alone is written in its own `*.api.ts`. */

/** The check that decides which routes exist. */
export const authStatusKey = ['/api/auth/status'] as const

/** The signed-in dealer. */
export const meKey = ['/api/auth/me'] as const

/** Every sort and search of the feed. */
export const feedsKey = ['/api/inventory', 'feed'] as const

/** Every list of whole posts beside the feed: of a dealer, of what is watched. */
export const postListsKey = ['/api/inventory', 'list'] as const

/** One post with its vehicles and comments. */
export const postKey = (postId: string) => ['/api/inventory', 'post', postId] as const

/** The dealer's deals, as lists and one by one. */
export const dealsKey = ['/api/deals'] as const
