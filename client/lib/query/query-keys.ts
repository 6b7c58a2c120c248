// Query keys shared by several features. Keys used by only one feature are in its `*.api.ts`.

export const authStatusKey = ['/api/auth/status'] as const

export const meKey = ['/api/auth/me'] as const

export const feedsKey = ['/api/inventory', 'feed'] as const

/** Key prefix for all other lists of complete posts, such as a dealer's posts or the watchlist. */
export const postListsKey = ['/api/inventory', 'list'] as const

export const postKey = (postId: string) => ['/api/inventory', 'post', postId] as const

export const dealsKey = ['/api/deals'] as const
