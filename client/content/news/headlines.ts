import type { NewsArticle } from '../article.ts'

/** The current articles without their texts, for the news card. */
export const newsHeadlines = [
  {
    slug: 'off-lease-supply-and-late-model-prices',
    title: 'Why three-year-old cars are still hard to find',
    summary:
      'Leases that were never written in 2021 to 2023 are the off-lease cars nobody can buy today. What that means for a lot that lives on late-model stock.',
    category: 'Market',
    date: '2026-11-18',
    readTime: '3 min read',
    source: 'Lanewire Market Desk',
    trending: true,
  },
  {
    slug: 'electronic-titles-in-wholesale',
    title: 'Electronic titles: what changes when the paper leaves the deal',
    summary:
      'More states hold liens and titles electronically. Dealers who know which papers still have to be real avoid the wait that kills a wholesale margin.',
    category: 'Compliance',
    date: '2026-11-12',
    readTime: '3 min read',
    source: 'Lanewire Compliance Notes',
    trending: true,
  },
  {
    slug: 'buying-canadian-units',
    title: 'Buying a Canadian unit: the checks before the border',
    summary:
      'Canadian trucks and SUVs can be the best buy of the week. Labels, odometer, recalls and two customs forms decide whether they are.',
    category: 'Cross-border',
    date: '2026-11-05',
    readTime: '3 min read',
    source: 'Lanewire Cross-Border Desk',
    trending: false,
  },
  {
    slug: 'soft-close-and-sniping',
    title: 'A clock that listens: how a soft close takes the sniping out of online lanes',
    summary:
      'In a hard close the fastest connection wins. In a soft close the highest number does. What the last thirty seconds look like on both sides.',
    category: 'Auctions',
    date: '2026-10-29',
    readTime: '2 min read',
    source: 'Lanewire Product Desk',
    trending: true,
  },
  {
    slug: 'used-ev-battery-health',
    title: 'Used electric vehicles: battery health is the second odometer',
    summary:
      'Mileage tells less about an electric car than its battery does. Five facts to ask for before you bid, and how to put them in a post.',
    category: 'Electric',
    date: '2026-10-21',
    readTime: '3 min read',
    source: 'Lanewire Market Desk',
    trending: false,
  },
] as const satisfies readonly Omit<NewsArticle, 'sections'>[]

export type NewsSlug = (typeof newsHeadlines)[number]['slug']
