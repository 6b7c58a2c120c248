export interface FindDomainEvents {
  'find.offered': { postId: string }
}
