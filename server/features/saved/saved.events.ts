export interface SavedJobs {
  /** Notifies dealers whose saved searches match a new post. */
  'saved.match': { postId: string }
}
