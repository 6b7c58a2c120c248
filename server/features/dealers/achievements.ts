import type { Achievement } from '#shared/schemas/dealers.ts'
import { formatNumber } from '#shared/format.ts'

const topRating = 4.5
const topRatingReviews = 3
const closerDeals = 10
const networkConnections = 25

interface Record {
  verified: boolean
  rating: number | null
  ratingCount: number
  dealsCompleted: number
  connectionCount: number
}

/** The four cards of a profile, each by a rule over the dealer's own record. */
export function achievementsOf({
  verified,
  rating,
  ratingCount,
  dealsCompleted,
  connectionCount,
}: Record): Achievement[] {
  const rated = rating !== null && rating >= topRating && ratingCount >= topRatingReviews
  const upTo = (count: number, goal: number, what: string) =>
    count >= goal ? `${formatNumber(count)} ${what}` : `${formatNumber(count)} of ${formatNumber(goal)} ${what}`
  return [
    {
      key: 'verified',
      title: 'Verified Dealer',
      detail: verified ? 'License checked by Lanewire' : 'License not checked yet',
      earned: verified,
    },
    {
      key: 'rated',
      title: 'Top Rated',
      detail: rated
        ? `${rating.toFixed(1)} from ${formatNumber(ratingCount)} reviews`
        : `${topRating} or more from ${topRatingReviews} reviews`,
      earned: rated,
    },
    {
      key: 'closer',
      title: 'Deal Closer',
      detail: upTo(dealsCompleted, closerDeals, 'completed deals'),
      earned: dealsCompleted >= closerDeals,
    },
    {
      key: 'network',
      title: 'Network Builder',
      detail: upTo(connectionCount, networkConnections, 'connections'),
      earned: connectionCount >= networkConnections,
    },
  ]
}
