export interface WantedJobs {
  /** Finds the orders and saved searches that look for a vehicle of this post, and tells their dealers. */
  'find.match': { postId: string }
  /** Tells a dealer who hears of many how many were found since the last time. */
  'find.digest': { dealerId: string }
}
