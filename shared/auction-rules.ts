/** Title or description speaks of an auction; the database's `is_auction` says the same. */
export const speaksOfAuction = (post: { title: string; description?: string | undefined }): boolean =>
  /auction/i.test(`${post.title}\n${post.description ?? ''}`)

/** A bid stands: until it is decided the seller's post stays up, and its lot is what was bid on. */
export const isBound = (auction: { status: string; bidCount: number } | undefined): boolean =>
  auction !== undefined && (auction.status === 'deciding' || (auction.status === 'open' && auction.bidCount > 0))

/** Said of a spreadsheet's post: an auction sells the first vehicle of its post, and a sheet that is not read has none. */
export const bidsOnceRead = 'Bidding can be switched on once the spreadsheet is read: edit the post then'
