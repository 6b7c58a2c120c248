import { writeThread } from '#server/db/seed/comment-text.ts'
import { idAt } from '#server/db/seed/ids.ts'
import { writePost } from '#server/db/seed/post-text.ts'
import type { Random } from '#server/db/seed/random.ts'
import { makeVehicle, type DemoVehicle } from '#server/db/seed/vehicles.ts'
import type { PastPosts } from '#server/features/posts/posts-changes.service.ts'
import { summarize } from '#server/features/posts/summaries/summary-text.ts'
import type { CastMember, DrawnVehicle } from './demo.repository.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const postLifeMs = 30 * dayMs

const plan = [
  { state: 'offered', hours: 5 },
  { state: 'available', hours: 29 },
  { state: 'pending', hours: 76 },
  { state: 'approved', hours: 142 },
  { state: 'sold', hours: 290 },
] as const

export interface OwnPost {
  id: string
  vehicleId: string
  state: (typeof plan)[number]['state']
  title: string
  createdAt: Date
  vehicle: DemoVehicle
  /** The post's last comment. Undefined if the account itself wrote it. */
  lastAsk: { id: string; dealer: CastMember; at: Date } | undefined
}

type PastComment = { id: string; postId: string; dealerId: string; content: string; createdAt: Date }

interface Author {
  random: Random
  now: Date
  me: CastMember
  neighbors: readonly CastMember[]
  drawn: readonly DrawnVehicle[]
}

const vehicleStatus = {
  offered: 'available',
  available: 'available',
  pending: 'pending',
  approved: 'pending',
  sold: 'sold',
} as const

export function drawVehicle({ random, now, drawn }: Pick<Author, 'random' | 'now' | 'drawn'>) {
  const kind = drawn.length === 0 ? undefined : random.pick(drawn)
  const vehicle = makeVehicle(random, now.getUTCFullYear(), kind && { make: kind.make, model: kind.model })
  return { vehicle: kind === undefined ? vehicle : { ...vehicle, color: kind.color }, urls: kind?.urls ?? [] }
}

function seen({ random, neighbors, now }: Author, postId: string, createdAt: Date) {
  const age = now.getTime() - createdAt.getTime()
  const within = () => new Date(createdAt.getTime() + random.next() * age)
  const readers = random.sample(neighbors, random.int(9, neighbors.length))
  return {
    views: readers.map(({ id: dealerId }) => ({ postId, dealerId, day: within().toISOString().slice(0, 10) })),
    likes: readers
      .slice(0, random.int(2, 6))
      .map(({ id: dealerId }) => ({ postId, dealerId, kind: 'like' as const, createdAt: within() })),
  }
}

function talk(
  author: Author,
  post: Pick<OwnPost, 'id' | 'createdAt' | 'vehicle' | 'state'>,
  text: { title: string; description: string },
) {
  const { random, me, neighbors, now } = author
  const topic = { seller: me, text, vehicle: post.vehicle, vehicleCount: 1, thisYear: now.getUTCFullYear() }
  const lines = writeThread(random, topic, neighbors.slice(0, 8), random.int(2, 4))
  // End the comments on the newest post with a question, so that the visitor has something to answer.
  if (post.state === 'offered') while (lines.at(-1)?.dealer === me) lines.pop()
  const age = now.getTime() - post.createdAt.getTime()
  return lines.map(({ dealer, content }, index) => {
    const createdAt = new Date(
      post.createdAt.getTime() + (age * (index + 0.3 + 0.5 * random.next())) / (lines.length + 0.4),
    )
    return { dealer, row: { id: idAt(random, createdAt), postId: post.id, dealerId: dealer.id, content, createdAt } }
  })
}

export function writeOwnPosts(author: Author): { own: OwnPost[]; rows: PastPosts; comments: PastComment[] } {
  const { random, now, me } = author
  const rows: PastPosts = { posts: [], vehicles: [], photos: [], views: [], reactions: [] }
  const [own, comments]: [OwnPost[], PastComment[]] = [[], []]
  for (const { state, hours } of plan) {
    const createdAt = new Date(now.getTime() - (hours + random.next()) * hourMs)
    const [id, vehicleId] = [idAt(random, createdAt), idAt(random, createdAt)]
    const { vehicle, urls } = drawVehicle(author)
    const text = writePost(random, me, [vehicle])
    const status = vehicleStatus[state]
    const { body: _body, paintIndex: _paint, ...facts } = vehicle
    const postComments = talk(author, { id, createdAt, vehicle, state }, text)
    const { views, likes } = seen(author, id, createdAt)
    const facing = { ...vehicle, notes: null, status, previousPriceCents: null, priceChangedAt: null }
    rows.posts.push({
      id,
      dealerId: me.id,
      type: 'single',
      ...text,
      status: state === 'sold' ? 'sold' : 'active',
      aiSummary: JSON.stringify(summarize(text, [facing], now.getUTCFullYear())),
      vehicleCount: 1,
      availableCount: status === 'available' ? 1 : 0,
      commentCount: postComments.length,
      likeCount: likes.length,
      viewCount: views.length,
      createdAt,
      updatedAt: createdAt,
      expiresAt: new Date(createdAt.getTime() + postLifeMs),
    })
    rows.vehicles.push({
      ...facts,
      id: vehicleId,
      postId: id,
      position: 0,
      status,
      city: me.city,
      state: me.state,
      atDealership: true,
      soldAt: status === 'sold' ? new Date(createdAt.getTime() + 4 * dayMs) : null,
    })
    rows.photos.push(
      ...urls.map((url, position) => ({ id: idAt(random, createdAt), postId: id, vehicleId, position, url })),
    )
    rows.views.push(...views)
    rows.reactions.push(...likes)
    comments.push(...postComments.map(({ row }) => row))
    const last = postComments.at(-1)
    const lastAsk =
      last && last.dealer !== me ? { id: last.row.id, dealer: last.dealer, at: last.row.createdAt } : undefined
    own.push({ id, vehicleId, state, title: text.title, createdAt, vehicle, lastAsk })
  }
  return { own, rows, comments }
}
