/** True if the title or description mentions an auction. Must match the database column `is_auction`. */
export const mentionsAuction = (post: { title: string; description?: string | undefined }): boolean =>
  /auction/i.test(`${post.title}\n${post.description ?? ''}`)

/** True from an auction's first bid until the auction is decided. The seller then cannot remove the post or change what is sold. */
export const isBound = (auction: { status: string; bidCount: number } | undefined): boolean =>
  auction !== undefined && (auction.status === 'deciding' || (auction.status === 'open' && auction.bidCount > 0))

/** Error for an auction in a spreadsheet post without vehicles: an auction sells the first vehicle, which only an import reveals. */
export const bidsOnceListed =
  'Bidding can be switched on once the vehicles of the spreadsheet are listed: edit the post then'
