export interface JobOpening {
  slug: string
  title: string
  department: string
  location: string
  type: string
  salaryRange: string
  description: string
}

export const careers = {
  title: 'Careers',
  lede: 'A small team that builds for people who trade cars for a living. If you like work whose effect you can see on Monday morning, read on.',
} as const

/** Invented openings, shown only on a demo network. */
export const jobOpenings: readonly JobOpening[] = [
  {
    slug: 'senior-realtime-engineer',
    title: 'Senior Software Engineer, Real Time',
    department: 'Engineering',
    location: 'Remote, US or Canada',
    type: 'Full-time',
    salaryRange: '$155,000 - $185,000',
    description:
      'Own the path of a message and of a bid, from the keystroke to the other screen. TypeScript, PostgreSQL, Redis and a great respect for what happens when one of them goes down.',
  },
  {
    slug: 'product-designer',
    title: 'Product Designer',
    department: 'Design',
    location: 'Chicago, IL or remote',
    type: 'Full-time',
    salaryRange: '$120,000 - $150,000',
    description:
      'Design dense screens that stay calm: feed, auction, dock. You prototype in the browser, test with dealers on their lots, and can say why a number is 22 pixels tall.',
  },
  {
    slug: 'dealer-success-manager',
    title: 'Dealer Success Manager',
    department: 'Customer Success',
    location: 'Dallas, TX',
    type: 'Full-time',
    salaryRange: '$75,000 - $95,000',
    description:
      'Bring new dealerships from sign-up to their first deal, and bring what they tell you back to the team. Years in wholesale or remarketing count for more than years in software.',
  },
  {
    slug: 'cross-border-specialist',
    title: 'Cross-Border Wholesale Specialist',
    department: 'Operations',
    location: 'Calgary, AB',
    type: 'Part-time',
    salaryRange: 'CA$45,000 - CA$60,000',
    description:
      'Know titles, labels and forms on both sides of the border. Verify Canadian dealerships, answer their questions, and keep our guides correct when the rules change.',
  },
]
