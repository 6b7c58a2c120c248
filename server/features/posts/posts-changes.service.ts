/** What other features may do to a post inside a transaction or a listing of their own. */
export { listFeed } from './feed.repository.ts'
export { findPost, insertVehicles, lockPost, refreshSearch, updatePost } from './posts.repository.ts'
