export interface FindDomainEvents {
  /** Vehicles of an existing post are offered again or differently. */
  'find.offered': { postId: string }
}
