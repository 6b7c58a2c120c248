// Query keys that several features share. Keys of only one feature are in its `*.api.ts`.

export const authStatusKey = ['/api/auth/status'] as const

export const meKey = ['/api/auth/me'] as const

export const feedsKey = ['/api/inventory', 'feed'] as const
/** The dealer's own figures beside the directory. They change when the dealer posts or edits a post. */
export const vehicleActivityKey = ['/api/dealers', 'activity'] as const

/** Prefix of the keys of all other lists of whole posts, such as a dealer's posts or the watchlist. */
export const postListsKey = ['/api/inventory', 'list'] as const

export const postKey = (postId: string) => ['/api/inventory', 'post', postId] as const

/** Prefix of the keys of words that Find looks up. The answers contain the dealer's own location. */
export const findWordsKey = ['/api/find', 'words'] as const

export const dealsKey = ['/api/deals'] as const
