/** The dialog's choices, shown and stored in these words. */
export const auctionFacilitators = [
  'Manheim',
  'ADESA',
  'Openlane',
  'ACV Auctions',
  'Americas Auto Auctions',
  'Copart',
  'IAA (Insurance Auto Auctions)',
  'SmartAuction',
  'BacklotCars',
  'TradeRev',
  'Dealer Track',
  'Simulcast',
  'Independent Auction Services',
  'Regional Auto Auctions',
  'Fleet Lease Remarketing',
] as const

/** The composer's own choices. */
export const composerFacilitators = ['manheim', 'adesa', 'copart', 'iaai', 'autoauction', 'custom'] as const
