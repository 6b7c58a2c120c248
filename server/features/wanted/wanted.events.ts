export interface WantedJobs {
  /** Finds the orders and saved searches that look for a vehicle of this post, and tells their dealers. */
  'find.match': { postId: string }
  /** The same when bidding opens on a vehicle of it: from then on it is in an auction that runs. */
  'find.begun': { postId: string }
  /** Tells a dealer who hears of many how many were found since the last time. */
  'find.digest': { dealerId: string }
}
