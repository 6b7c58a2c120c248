export interface FindDomainEvents {
  /** Vehicles of a post from before are on offer that were not, or otherwise than they were. */
  'find.offered': { postId: string }
}
