import type { Feature } from './feature-text.ts'

export const landing = {
  headline: 'The wholesale lane, open on your desk all day.',
  lede: 'Post inventory, watch every bid as it lands, and close the deal in the same window. Lanewire is the live network for verified used‑car dealers in the US and Canada.',
  setup: 'This network has no admin yet. The person running this server creates it, using the link in the server log.',
  setupLink: 'Set up this network',
  dealers: 'dealers: independent, franchise and wholesale',
  featuresTitle: 'Built for the way wholesale moves',
  featuresLede: 'One feed, one inbox and one set of numbers.',
  quotesTitle: 'Dealers who keep it open',
  pricingTitle: 'Pricing',
  pricingLede: 'Billed monthly. Cancel from your plan page.',
} as const

type Art = 'auction' | 'messages' | 'summary' | 'vin' | 'sale'

/** `art` is the name of a drawing. */
export const landingFeatures: readonly (Feature & { art: Art })[] = [
  {
    art: 'auction',
    title: 'Live auctions',
    text: 'Every viewer sees the same bid at the same second, with a soft close that stops last-second sniping.',
  },
  {
    art: 'messages',
    title: 'Messaging dock',
    text: 'Three conversations open at the bottom of every page, so a question never costs you your place in the feed.',
  },
  {
    art: 'summary',
    title: 'AI deal detection',
    text: 'Mileage for its age, price changes and seller disclosures, pulled from every post as facts you can check.',
  },
  {
    art: 'vin',
    title: 'VIN decoding',
    text: 'Type 17 characters and get year, make and often model.',
  },
  {
    art: 'sale',
    title: 'Bill of Sale and analytics',
    text: 'Paperwork fills itself in from the agreed price; volume and days to close keep score.',
    plan: { needs: 'billOfSale', subject: 'Both come' },
  },
]

/** Invented quotes, shown only on a demo network. */
export const testimonials = [
  {
    quote:
      'I bought eleven trucks last month without leaving the chat. The bid, the title question and the driver are all in one place.',
    name: 'Luis Herrera',
    place: 'Herrera & Sons, Amarillo, TX',
  },
  {
    quote: 'The feed tells me what moved while I was on the lot. I catch up in two minutes, not twenty.',
    name: 'Priya Nair',
    place: 'Lakefront Auto Exchange, Milwaukee, WI',
  },
  {
    quote: 'We buy on both sides of the border. Knowing which dealers take Canadian units saved us a hire.',
    name: 'Grant MacLeod',
    place: 'Prairie Remarketing, Calgary, AB',
  },
] as const

/** Invented activity, shown on a demo network until there is real activity. */
export const wireItems = [
  { kind: 'sold', vehicle: '2019 Toyota Tacoma', state: 'OK' },
  { kind: 'live', vehicle: '2021 Honda CR-V', state: 'TX' },
  { kind: 'active', vehicle: '2022 Nissan Rogue', state: 'WI' },
  { kind: 'sold', vehicle: '2020 Ford Transit', state: 'LA' },
  { kind: 'live', vehicle: '2018 Chevrolet Tahoe', state: 'GA' },
  { kind: 'sold', vehicle: '2017 Toyota 4Runner', state: 'NE' },
] as const

/** `image` is the name of a screenshot. */
export const tourSteps = [
  {
    image: 'feed',
    title: 'One feed for the whole network',
    caption:
      'Posts from dealers across the US and Canada, with price, mileage and VIN where you look first. Sort by Recent, Hottest, For Sale or Auction Promo.',
  },
  {
    image: 'search',
    title: 'Find the unit, not the listing',
    caption:
      'Search covers the title, VIN, make, model, trim, dealer, city and state, and forgives one wrong letter in longer words.',
  },
  {
    image: 'post',
    title: 'Every vehicle on one page',
    caption: "Photos, vehicles, the AI summary and other dealers' comments, all updated while you look at them.",
  },
  {
    image: 'messages',
    title: 'Talk without losing your place',
    caption: 'The messaging dock keeps up to three conversations open over any page. Drafts wait until you send them.',
  },
  {
    image: 'directory',
    title: 'Know who you are dealing with',
    caption:
      'The Dealer Network shows type, location, rating and the connections you share. Filter it by state or Canadian buying.',
  },
] as const
