export interface SavedJobs {
  /** Finds the saved searches that a new post matches and tells their dealers. */
  'saved.match': { postId: string }
}
