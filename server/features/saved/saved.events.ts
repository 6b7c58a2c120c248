import type { PostSort } from '#shared/schemas/posts.ts'

export interface SavedJobs {
  /** Notifies dealers whose saved searches match a new post. With `sort`, only searches with that sort, to which an edit adds the post. */
  'saved.match': { postId: string; sort?: PostSort }
}
