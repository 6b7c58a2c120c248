import type { Achievement } from '#shared/schemas/dealers.ts'
import { formatNumber, plural } from '#shared/format.ts'

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

export function achievementsOf({
  verified,
  rating,
  ratingCount,
  dealsCompleted,
  connectionCount,
}: Record): Achievement[] {
  const rated = rating !== null && rating >= topRating && ratingCount >= topRatingReviews
  const upTo = (count: number, goal: number, one: string) =>
    count >= goal ? plural(count, one) : `${formatNumber(count)} of ${plural(goal, one)}`
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
        ? `${rating.toFixed(1)} from ${plural(ratingCount, 'review')}`
        : `${topRating} or more from ${plural(topRatingReviews, 'review')}`,
      earned: rated,
    },
    {
      key: 'closer',
      title: 'Deal Closer',
      detail: upTo(dealsCompleted, closerDeals, 'completed deal'),
      earned: dealsCompleted >= closerDeals,
    },
    {
      key: 'network',
      title: 'Network Builder',
      detail: upTo(connectionCount, networkConnections, 'connection'),
      earned: connectionCount >= networkConnections,
    },
  ]
}
