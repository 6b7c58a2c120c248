import type { Feature } from './feature-text.ts'

export const features = {
  title: 'Features',
  lede: 'Everything a wholesale desk does in a day, on one screen that stays current.',
} as const

export const featureGroups: readonly { title: string; items: readonly Feature[] }[] = [
  {
    title: 'Find',
    items: [
      {
        title: 'Live dealer feed',
        text: 'Posts from the whole network in four sort orders: Recent, Hottest, For Sale and Auction Promo. New ones wait behind a button, so the page never jumps.',
      },
      {
        title: 'Search that forgives',
        text: 'One search box for titles, VINs, makes, models, trims, dealers, dealerships, cities and states. It tolerates one wrong letter in words of five or more letters.',
      },
      {
        title: 'AI deal detection',
        text: 'Each post has a short list of facts drawn from its text and vehicles. If the network has enough similar vehicles, the price is compared with theirs.',
        plan: { needs: 'marketPosition', subject: 'The comparison comes' },
      },
    ],
  },
  {
    title: 'Sell',
    items: [
      {
        title: 'One, many, or a sheet',
        text: 'Post a single vehicle, a group in one post, or a link to your inventory spreadsheet.',
      },
      {
        title: 'VIN decoding',
        text: 'Seventeen characters fill in year, make and often model, without overwriting what you typed.',
      },
      {
        title: 'Fifty photos',
        text: 'Several upload at once, in the order you choose. You can retry a failed one without starting over.',
      },
    ],
  },
  {
    title: 'Agree',
    items: [
      {
        title: 'Messaging dock',
        text: 'Up to three conversations over any page. Drafts are saved, and messages written offline are sent when you are back online.',
      },
      {
        title: 'Live auctions',
        text: 'Bids of +$500, +$1,000 and +$2,500, a countdown on the server’s clock, and a soft close in the last thirty seconds.',
      },
      {
        title: 'Automated Bill of Sale',
        text: 'The agreed price, parties and vehicle go from the deal into the document without retyping.',
        plan: { needs: 'billOfSale', subject: 'It comes' },
      },
    ],
  },
  {
    title: 'Grow',
    items: [
      {
        title: 'Dealer Network',
        text: 'A directory with type, location, rating and mutual connections, filtered by state, dealership type and Canadian buying.',
      },
      {
        title: 'Across the border',
        text: 'Buyers who take Canadian vehicles have a badge in the directory and beside their name.',
      },
      {
        title: 'Analytics',
        text: 'Vehicles sold and pending, deals near closing, and days to close, from your own records.',
        plan: { needs: 'analytics', subject: 'They come' },
      },
    ],
  },
]
