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

export const composerFacilitators = ['manheim', 'adesa', 'copart', 'iaai', 'autoauction', 'custom'] as const

const composerNames: Record<(typeof composerFacilitators)[number], string> = {
  manheim: 'Manheim',
  adesa: 'ADESA',
  copart: 'Copart',
  iaai: 'IAAI',
  autoauction: 'AutoAuction',
  custom: 'Custom',
}

const named = new Map<string, string>([
  ...auctionFacilitators.map((name) => [name, name] as const),
  ...Object.entries(composerNames),
])

export const facilitatorName = (stored: string): string => named.get(stored) ?? stored

export const isFacilitator = (value: string): boolean => named.has(value)
