export interface WantedJobs {
  /** Notifies dealers whose orders or saved searches match a vehicle of this post. */
  'find.match': { postId: string }
  /** Does the same as `find.match`, but runs when bidding opens on the post's auction. */
  'find.begun': { postId: string }
  'find.digest': { dealerId: string }
}
