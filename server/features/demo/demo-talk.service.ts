import { randomUUID } from 'node:crypto'
import { formatNumber } from '#shared/format.ts'
import { writeAnswer, writeComment, type Topic } from '#server/db/seed/comment-text.ts'
import { dollars } from '#server/db/seed/post-text.ts'
import { addComment, createCommentBatcher } from '#server/features/comments/comments.service.ts'
import { openChat } from '#server/features/messaging/chats.service.ts'
import { demoAnswer } from '#server/features/messaging/replies-demo.service.ts'
import { storeMessage } from '#server/features/messaging/messages.service.ts'
import { countOpened } from '#server/features/posts/view-counter.ts'
import { actorOf, ageMs, mayAct, newcomerUntilMs, note, type Stage } from './demo-stage.ts'
import {
  type CastMember,
  findKnownPost,
  findWritten,
  type KnownPost,
  listConnected,
  listOffered,
  listRecentPosts,
  listCommentTexts,
  listUnanswered,
  type Watcher,
} from './demo.repository.ts'

const commentChance = 0.16
const recentPosts = 12
const threadMax = 14
const answerAfterMs = 9_000
const helloAfterMs = 6_000
const messageEveryMs = 7 * 60_000
const messageChance = 0.03
const unreadMax = 12
const offeredMax = 40

function topicOf({ now }: Stage, post: KnownPost, seller: CastMember): Topic & { seller: CastMember } {
  return { seller, text: post, vehicle: post, vehicleCount: post.vehicleCount, thisYear: now.getUTCFullYear() }
}

async function comment(stage: Stage, by: CastMember, postId: string, content: string): Promise<void> {
  const { ctx } = stage
  await countOpened(ctx, [{ postId, dealerId: by.id }])
  const batcher = createCommentBatcher(ctx)
  await addComment(ctx, batcher, actorOf(by), { postId, input: { content }, key: randomUUID() })
}

export async function commentSometimes(stage: Stage): Promise<void> {
  const { ctx, random, cast, byId, watching } = stage
  if (!random.chance(commentChance)) return
  const people = new Map(
    watching.map((watcher) => [watcher.id, { ...watcher, email: '', dealershipName: '', city: '', state: '' }]),
  )
  const posts = (await listRecentPosts(ctx.db, recentPosts)).filter(({ commentCount }) => commentCount < threadMax)
  if (posts.length === 0) return
  const post = random.pick(posts)
  const seller = byId.get(post.dealerId) ?? people.get(post.dealerId)
  const reader = random.pick(cast.filter(({ id }) => id !== post.dealerId))
  if (seller === undefined) return
  const content = writeComment(random, topicOf(stage, post, seller), reader, await listCommentTexts(ctx.db, post.id))
  if (content === 'Following.' || !(await mayAct(stage, 'comment'))) return
  await comment(stage, reader, post.id, content)
  note(stage, 'comment', reader, content)
}

export async function answerComments(stage: Stage): Promise<void> {
  const { ctx, random, cast, byId, now } = stage
  const ids = cast.map(({ id }) => id)
  const waiting = (await listUnanswered(ctx.db, ids, now)).find(({ at }) => ageMs(stage, at) > answerAfterMs)
  if (waiting === undefined) return
  const [post, seller] = [await findKnownPost(ctx.db, waiting.postId), byId.get(waiting.sellerId)]
  if (post === undefined || seller === undefined) return
  const asker = byId.get(waiting.askerId)
  const answer = writeAnswer(
    random,
    topicOf(stage, post, seller),
    asker ?? seller,
    waiting.content,
    await listCommentTexts(ctx.db, post.id),
  )
  // A demo dealer's comment gets an answer only if it is a question. A visitor's comment always gets an answer.
  const content = answer ?? (asker === undefined ? demoAnswer(waiting.content, post.commentCount) : undefined)
  if (content === undefined || !(await mayAct(stage, 'answer'))) return
  await comment(stage, seller, post.id, content)
  note(stage, 'answer', seller, content)
}

/** Picks a demo dealer who has no chat with this dealer yet, and one of the demo dealer's posts. Prefers this dealer's connections. */
async function findWriter({ ctx, random, cast, byId }: Stage, writers: readonly string[], dealerId: string) {
  const known = new Set(await listConnected(ctx.db, dealerId))
  const free = cast.filter(({ id }) => !writers.includes(id))
  const near = free.filter(({ id }) => known.has(id))
  const ids = (near.length > 0 ? near : free).map(({ id }) => id)
  const offered = await listOffered(ctx.db, ids, offeredMax)
  if (offered.length === 0) return undefined
  const post = random.pick(offered)
  const writer = byId.get(post.dealerId)
  return writer && { post, writer }
}

const greetings = [
  'Hi {name}, my {vehicle} is at {price}. Tell me if you want first look before I push it wider.',
  '{name}, got a minute? I have a {vehicle} with {miles} miles that should suit you. {price}.',
  'Hello {name}. {vehicle}, {miles} miles, {price}. Worth a look for your lot?',
  '{name}, I would rather sell this {vehicle} to somebody I know. {price} and it is yours.',
]

async function writeTo(stage: Stage, { id, name }: Watcher, writers: readonly string[]): Promise<void> {
  const { ctx, random } = stage
  const found = await findWriter(stage, writers, id)
  if (found === undefined || !(await mayAct(stage, 'message'))) return
  const { post, writer } = found
  const slots: Record<string, string> = {
    name: name.split(' ')[0] ?? name,
    vehicle: `${post.year} ${post.make} ${post.model}`,
    miles: formatNumber(post.mileage),
    price: dollars(post.priceCents),
  }
  const content = random.pick(greetings).replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? '')
  const { id: chatId } = await openChat(ctx, actorOf(writer), { dealerId: id })
  const nothing = { attachmentUrl: null, attachmentName: null }
  await storeMessage(ctx, { chatId, senderId: writer.id, clientId: randomUUID(), content, postId: post.id, ...nothing })
  note(stage, 'message', writer, content)
}

/** Writes to newcomers soon after they arrive, and to others occasionally. */
export async function writeMessages(stage: Stage): Promise<void> {
  for (const watcher of stage.watching) {
    if (watcher.role !== 'dealer') continue
    const age = ageMs(stage, watcher.since)
    const { lastAt, unanswered, writers } = await findWritten(stage.ctx.db, watcher.id)
    const isNew = age > helloAfterMs && age < newcomerUntilMs && (lastAt === null || lastAt < watcher.since)
    const isQuiet = (lastAt === null || ageMs(stage, lastAt) > messageEveryMs) && unanswered < unreadMax
    if (isNew || (isQuiet && age >= newcomerUntilMs && stage.random.chance(messageChance)))
      await writeTo(stage, watcher, writers)
  }
}
