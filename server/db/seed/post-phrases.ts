/** Phrases for posts. The slots in braces are filled with values of the vehicles and the dealer. */
export const singleTitles = [
  '{year} {make} {model} {trim}',
  '{year} {make} {model} {trim}: one owner, clean title',
  '{year} {make} {model} {trim}, {kmiles}k miles, title in hand',
  '{color} {year} {make} {model} {trim}, frontline ready',
  'Fresh trade: {year} {make} {model} {trim}',
  '{year} {model} {trim}, {kmiles}k, no arbitration surprises',
  'Off-lease {year} {make} {model} {trim}',
  '{year} {make} {model}, priced under book',
  'Local trade {year} {make} {model} {trim}, clean history',
  '{year} {make} {model} {trim}, aged unit, bring offers',
  '{year} {model} {trim}, {color}, two keys and books',
  'Wholesale only: {year} {make} {model} {trim}',
] as const

export const multipleTitles = [
  '{count} off-lease units, package or individual',
  'Weekly run list: {count} units, {makes}',
  '{count} {body}, all clean titles',
  'Aged inventory blowout: {count} units must go this week',
  '{count} fresh trades out of {city}, pick what you need',
  'Fleet return: {count} {body}, one source, service records',
  'Package of {count}, {lowest} to {highest}',
  '{count} frontline-ready {body} before Thursday',
  'Overstock {body}: {count} to place',
] as const

export const sources = [
  'One-owner trade from our own retail customer.',
  'Off-lease, returned with full service history.',
  'Local trade, serviced here since new.',
  'Fleet return, maintained on schedule, records included.',
  'Bought off the lane last week and it does not fit our lot.',
  'Company vehicle, highway miles, oil changed every 5,000.',
  'Traded on a new one Saturday, not yet reconditioned.',
  'Repo from our own paper, two keys, starts and drives every day.',
  'Estate unit, garage kept, low use the last two years.',
  'Franchise trade-in, outside our price band.',
] as const

export const conditions = [
  'Clean history, no accidents reported. Cold A/C and tires at 7/32.',
  'Drives straight, no codes, no warning lights. Minor door dings on the right side.',
  'Green light, no announcements. Fresh brakes all around.',
  'Paint meter reads factory on every panel. Windshield has a small star at the edge.',
  'Previous bumper respray, disclosed. No frame, no airbags.',
  'Needs two front tires and a detail, priced accordingly.',
  'Runs strong, no leaks, transmission shifts right. Curb rash on two wheels.',
  'Hail: about a dozen small dents on the hood and roof, PDR quote $650.',
  'Interior is a strong 8, no smoke, no tears.',
  'Yellow light: slight drone from the rear bearing, quoted $420 to fix.',
  'Minor previous damage to the left quarter, repaired well, no structural.',
  'Lift inspected this morning, dry underneath, no rust.',
  'Northern car but clean underneath, undercarriage photos on request.',
  'Timing cover is dry, new battery, alignment done last month.',
] as const

export const batchSources = [
  'All from one lease company, returned on time with records.',
  'Trades from the last two weekends, none of them reconditioned yet.',
  'Fleet returns, one maintenance contract, every service stamped.',
  'Aged past 60 days here. Nothing wrong with them, wrong market.',
  'Bought as a package, splitting out what does not fit our lot.',
  'Bank repos, all start and drive, keys for each.',
] as const

export const batchConditions = [
  'Condition reports on every unit, announcements are in the notes.',
  'Mostly green lights, two with announcements, both marked.',
  'All clean history but one, disclosed below.',
  'Normal wear. Expect detail and a couple of tires across the group.',
  'Lift inspected this week, no frame, no flood, no surprises.',
] as const

export const titleNotes = [
  'Title in hand.',
  'Title in hand, ships the day funds clear.',
  'Title absent, expected within seven days, we will hold the guarantee.',
  'Title attached, clean and green.',
  'Electronic title, released on payoff Friday.',
  'Lien release in the folder, title at the state for reprint.',
] as const

export const prices = [
  'Asking {price}, which is under the 30-day wholesale average I see for these miles.',
  'Price is {price}. Book is stronger than that, I need the floor plan cleared.',
  '{price} takes it, no games.',
  'Start at {price}, reasonable offers answered the same day.',
  'At {price} there is a retail margin left after recon.',
  '{price} firm through Friday, then it runs in the lane.',
  'Curtailment is due on the 15th so the number is real: {price}.',
] as const

export const packagePrices = [
  'Package price {total} for all {count}, or call out the ones you want.',
  'Prefer to move them together: {total} for the lot.',
  'Individual prices are on each unit. Take three or more and I cover transport inside 300 miles.',
  'Everything is priced to move before the next curtailment.',
  'Condition reports on each of them. Split the package if you want, first come.',
] as const

export const logistics = [
  'Sitting in {city}, can load any weekday before 4.',
  'Transport quotes from {city} run about 75 cents a mile right now.',
  'Our driver can meet you halfway inside 200 miles.',
  'Post-sale inspection welcome, we stand behind the seven-day guarantee.',
  'Dealer fee is zero to members of this network.',
  'Export paperwork is no problem, we ship north every week.',
  'Keys, books and mats are in the unit.',
  'More photos on request, undercarriage included.',
] as const

export const auctionTitles = [
  '{year} {make} {model} {trim}: live auction',
  '{year} {make} {model} {trim}, live auction, {kmiles}k miles',
  'Live auction: {year} {make} {model} {trim}, {kmiles}k',
] as const

export const reserveLines = ['There is a reserve and it is realistic.', 'Reserve is below what I own it for.'] as const
export const noReserveLines = [
  'No reserve: the highest bid takes it.',
  'Sells to the highest bid, no reserve.',
] as const

export const auctionLines = [
  'Live auction on this one, soft close, flaws are disclosed.',
  'Running it as a live auction here instead of hauling it to the lane.',
] as const

export const bodyWords: Record<string, string> = {
  pickup: 'trucks',
  sedan: 'sedans',
  coupe: 'coupes',
  crossover: 'crossovers',
  suv: 'SUVs',
  van: 'vans',
}

/** Pairs of contradictory patterns. A post and its comments never combine phrases that match both. */
export const contradictions: readonly (readonly [RegExp, RegExp])[] = [
  [/tesla|model [3y]\b/i, /\boil\b|timing cover|transmission|no leaks|evap code/i],
  [/title in hand|title attached/i, /how soon on the title|in hand or absent/i],
  [/off-lease/i, /\btrades?\b|traded|fleet|repo|estate unit|company vehicle|bought (off|as)|aged past|does not fit/i],
  [/fresh trade|local trade|\bfresh trades/i, /fleet|repo|estate unit|company vehicle|bought (off|as)|aged|lease/i],
  [/fleet return/i, /\btrades?\b|traded|repo|estate unit|bought (off|as)|aged past|low use/i],
  [/one[- ]owner/i, /fleet|repo|bought off|company vehicle|two owners|off-lease|different unit/i],
  [
    /clean title|title in hand|titles? attached|title, clean, no lien|^in hand/i,
    /absent|lien release|reprint|electronic title|payoff/i,
  ],
  [/title absent|^absent/i, /electronic title|lien release|reprint|attached/i],
  [/electronic title/i, /lien release|reprint|attached/i],
  [/lien release/i, /attached|no lien/i],
  [
    /frontline[- ]ready/i,
    /not yet reconditioned|none of them reconditioned|\bneeds\b|yellow light|hail|small star|curb rash|detail|marked/i,
  ],
  [
    /clean history(?! but one)|no accidents|clean both ways/i,
    /respray|previous damage|minor rear|clean history but one/i,
  ],
  [/no arbitration surprises|no announcements/i, /yellow light|hail|announcements,|previous damage/i],
  [/two (keys|fobs)/i, /one key/i],
  [/bring offers|reasonable offers/i, /no games|firm/i],
  [/aged (unit|inventory)|aged past/i, /last week|saturday|last two weekends|low use/i],
  [/factory on every panel|nothing painted|no body work/i, /respray|previous damage|hail|chips were/i],
  [/all from one lease/i, /run list|fleet return|trades|overstock|aged/i],
  [/tires at 7\/32|michelins|tires 6\/32/i, /needs two|couple of tires|fronts are 4|\bneeds two\b/i],
  [/no codes|all green|no warning lights/i, /yellow light|evap code|tpms light/i],
  [/never been through a lane/i, /bought off the lane|ran once|no-sale/i],
  [/no smoke, no tears|solid 8|strong 8/i, /small burn|light wear/i],
  [/any paint work|panel factory|paint meter say/i, /paint meter reads/i],
  [/price is firm|no games|firm through/i, /came down/i],
  [/under book|book is stronger|stronger than that/i, /book has dropped/i],
]
