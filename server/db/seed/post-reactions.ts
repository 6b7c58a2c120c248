import { writeThread } from './comment-text.ts'
import { idAt } from './ids.ts'
import { dayMs, type KnownDealer } from './known-dealers.ts'
import type { DemoPost } from './network-posts.ts'
import type { Random } from './random.ts'

export interface PostReactions {
  comments: { id: string; postId: string; dealerId: string; content: string; createdAt: Date }[]
  reactions: { postId: string; dealerId: string; kind: 'like' | 'info'; createdAt: Date }[]
  /** `day` is a UTC date, such as 2026-11-20. */
  views: { postId: string; dealerId: string; day: string }[]
}

const commentsPerPost = 3.1
const viewsPerPost = 55

export function makeReactions(
  random: Random,
  dealers: readonly KnownDealer[],
  posts: readonly DemoPost[],
  now: Date,
): PostReactions {
  const reception: PostReactions = { comments: [], reactions: [], views: [] }
  for (const post of posts) {
    const readers = dealers.filter(({ id, role }) => id !== post.dealer.id && role === 'dealer')
    const ageDays = (now.getTime() - post.createdAt.getTime()) / dayMs
    const interest = (0.25 + random.next() ** 2 * 2.6) * Math.min(1, 0.25 + ageDays / 2)
    addComments(random, reception, { post, readers, interest, now })
    addReactions(random, reception, { post, readers, interest, now })
    addViews(random, reception, { post, readers, interest, now })
  }
  return reception
}

interface Audience {
  post: DemoPost
  readers: readonly KnownDealer[]
  interest: number
  now: Date
}

function addComments(random: Random, { comments }: PostReactions, { post, readers, interest, now }: Audience): void {
  const length = Math.round(interest * commentsPerPost)
  const [vehicle] = post.vehicles
  if (length === 0 || !vehicle) return
  const thisYear = post.createdAt.getFullYear()
  const topic = { seller: post.dealer, text: post, vehicle, vehicleCount: post.vehicles.length, thisYear }
  const thread = writeThread(random, topic, random.sample(readers, 8), length)
  const span = Math.min(now.getTime() - post.createdAt.getTime(), 4 * dayMs)
  for (const [index, line] of thread.entries()) {
    const createdAt = new Date(post.createdAt.getTime() + (span * (index + random.next())) / (thread.length + 1))
    comments.push({
      id: idAt(random, createdAt),
      postId: post.id,
      dealerId: line.dealer.id,
      content: line.content,
      createdAt,
    })
  }
}

function addReactions(random: Random, { reactions }: PostReactions, { post, readers, interest, now }: Audience): void {
  const span = now.getTime() - post.createdAt.getTime()
  const add = (kind: 'like' | 'info', count: number) => {
    for (const { id } of random.sample(readers, count))
      reactions.push({
        postId: post.id,
        dealerId: id,
        kind,
        createdAt: new Date(post.createdAt.getTime() + random.next() * span),
      })
  }
  add('like', Math.round(interest * random.int(2, 9)))
  add('info', Math.round(interest * random.int(0, 3)))
}

function addViews(random: Random, { views }: PostReactions, { post, readers, interest, now }: Audience): void {
  const span = now.getTime() - post.createdAt.getTime()
  for (const { id } of random.sample(readers, Math.round(interest * viewsPerPost))) {
    const seenAt = new Date(post.createdAt.getTime() + random.next() ** 2 * span)
    views.push({ postId: post.id, dealerId: id, day: seenAt.toISOString().slice(0, 10) })
  }
}
