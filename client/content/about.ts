import { dealersClaim } from './site.ts'

export const about = {
  title: 'About Lanewire',
  lede: 'Wholesale has always run on people who know each other. We build the place where they meet between lanes.',
  story: [
    'A used-car dealer spends much of the week finding out what other dealers have. Calls, group texts, auction run lists, a spreadsheet that somebody sent last spring. The cars are out there and so are the buyers, but they hear about each other late, and late costs money on both sides.',
    'Lanewire puts that traffic in one place. Dealers post what they have, others see it within moments, ask their questions in the open or in a message, bid when it goes to auction, and write the deal down where both sides can read it. It is a business-to-business network: retail customers are not on it, so they never see your wholesale prices.',
    'We serve verified independent, franchise and wholesale dealers in the United States and Canada.',
  ],
  /** Shown below the story, on a demo network only. */
  demoSize: `The network has ${dealersClaim} dealers.`,
  principlesTitle: 'What we hold ourselves to',
  principles: [
    {
      title: 'The number is the product',
      text: 'Price, bid, time and mileage are the clearest thing on any screen, and they are right. If a figure is not known, we say so rather than show a made-up one.',
    },
    {
      title: 'Nothing gets lost',
      text: 'A message marked sent is stored. A bid marked accepted counts. When the connection breaks, the page says so and catches up automatically.',
    },
    {
      title: 'Dealers decide who sees what',
      text: 'You can switch off your phone number, online status and directory listing, and the server enforces it.',
    },
    {
      title: 'No middleman in your money',
      text: 'We do not hold payments, take title or take a cut of the sale.',
    },
  ],
  creditsTitle: 'Credits',
  credits: {
    canada: {
      text: 'Canadian postal code locations:',
      name: 'GeoNames',
      href: 'https://www.geonames.org/',
      license: 'CC BY 4.0',
      licenseHref: 'https://creativecommons.org/licenses/by/4.0/',
      change: 'accents and parts of towns removed from city names',
    },
    us: {
      text: 'US ZIP code locations: the package',
      name: 'zipcodes',
      href: 'https://github.com/davglass/zipcodes',
      license: 'BSD-3-Clause, © 2007 Dav Glass',
    },
  },
  closing: 'Questions, ideas, a feature that gets in your way? A person reads what you send.',
} as const
