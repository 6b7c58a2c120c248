import { familyNames, givenNames } from '#server/db/seed/dealer-names.ts'
import { idAt } from '#server/db/seed/ids.ts'
import { seededRandom, type Random } from '#server/db/seed/random.ts'
import { danaEmail, marcusEmail } from '#server/features/auth/demo-accounts.ts'
import { insertPastComments } from '#server/features/comments/comments.service.ts'
import {
  countCompletedDeal,
  insertPastNetwork,
  type PastNetwork,
  refreshRating,
  updateDealer,
} from '#server/features/dealers/dealers.service.ts'
import { issueDocuments } from '#server/features/deals/deal-documents.service.ts'
import { insertPastTrade } from '#server/features/deals/deals-demo.service.ts'
import { refreshFind, refreshFindSellers } from '#server/features/find/refresh-find.service.ts'
import { insertPastChats } from '#server/features/messaging/chats-demo.service.ts'
import { insertPastNotifications } from '#server/features/notifications/notifications.service.ts'
import { insertPastPosts } from '#server/features/posts/posts-changes.service.ts'
import { insertPastReviews } from '#server/features/reviews/reviews.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { dollars } from '#server/db/seed/post-text.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { planChats, writeChats } from './account-chats.ts'
import { writeOwnPosts, type OwnPost } from './account-posts.ts'
import { type Partners, type Traded, writeTrade } from './account-trade.ts'
import {
  type CastMember,
  findCastMember,
  listCast,
  listConnectedTo,
  listDrawn,
  listOffered,
} from './demo.repository.ts'

const houseKinds = ['Auto Sales', 'Motors', 'Auto Group', 'Wholesale', 'Auto Exchange'] as const

export function namesFor(seed: number): { name: string; dealershipName: string } {
  const random = seededRandom(seed)
  const family = random.pick(familyNames)
  return { name: `${random.pick(givenNames)} ${family}`, dealershipName: `${family} ${random.pick(houseKinds)}` }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const minuteMs = 60_000
/** With fewer other dealers, the account gets no history. */
const partnersMin = 14
const friendsMax = 26
const requestsIn = 3
const profileViewsMax = 40
const offeredMax = 30
const joinedDaysAgo = 210
const licenseDays = 700

interface Account extends CastMember {
  now: Date
}

const day = (at: Date) => at.toISOString().slice(0, 10)

function writeNetwork(
  random: Random,
  { id, now }: Account,
  friends: readonly CastMember[],
  strangers: readonly CastMember[],
): PastNetwork {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const [added, ...asking] = strangers
  const request = (requesterId: string, dealerId: string, createdAt: Date) => ({
    id: idAt(random, createdAt),
    requesterId,
    dealerId,
    createdAt,
  })
  const addedAt = ago(0.8)
  return {
    mutual: friends.map(({ id: otherId }, index) => ({
      otherId,
      createdAt: ago(index < 2 ? 3 + index * 9 : 35 + random.next() * (joinedDaysAgo - 40)),
    })),
    added: added ? [{ otherId: added.id, createdAt: addedAt }] : [],
    requests: [
      ...(added ? [request(id, added.id, addedAt)] : []),
      ...asking.slice(0, requestsIn).map((one, index) => request(one.id, id, ago(0.1 + index * 0.9))),
    ],
    views: [...friends, ...strangers]
      .slice(0, profileViewsMax)
      .map(({ id: viewerId }) => ({ dealerId: id, viewerId, day: day(ago(random.next() * 28)) })),
  }
}

function writeNotices(
  random: Random,
  { id: dealerId, now }: Account,
  network: PastNetwork,
  { offer }: Traded,
  { own, byId, buyer }: { own: readonly OwnPost[]; byId: ReadonlyMap<string, CastMember>; buyer: CastMember },
) {
  const notice = (
    at: Date,
    about: {
      kind: 'request' | 'deal' | 'comment'
      title: string
      body?: string
      path: string
      actorId: string
      dedupeKey: string
    },
  ) => {
    const isOld = now.getTime() - at.getTime() > 12 * hourMs
    return {
      id: idAt(random, at),
      dealerId,
      createdAt: at,
      readAt: isOld ? at : null,
      inApp: true,
      push: false,
      ...about,
    }
  }
  const requests = network.requests.flatMap(({ id, requesterId, createdAt }) => {
    const asker = byId.get(requesterId)
    if (asker === undefined || !(createdAt instanceof Date)) return []
    const about = { title: `${asker.name} wants to connect`, path: `/dealers/${requesterId}`, actorId: requesterId }
    return notice(createdAt, { kind: 'request', ...about, dedupeKey: `request:${id}` })
  })
  const comments = own.flatMap(({ id, title, lastAsk }) =>
    lastAsk === undefined
      ? []
      : notice(lastAsk.at, {
          kind: 'comment',
          title: `${lastAsk.dealer.name} commented on ${title}`,
          path: `/post/${id}`,
          actorId: lastAsk.dealer.id,
          dedupeKey: `comment:${lastAsk.id}`,
        }),
  )
  const offered = { title: `New offer: ${dollars(offer.cents)}`, path: '/deals', actorId: buyer.id }
  const offeredAt = new Date(now.getTime() - offer.minutesAgo * minuteMs)
  return [...requests, ...comments, notice(offeredAt, { kind: 'deal', ...offered, dedupeKey: `offer:${offer.id}:1` })]
}

const praise = [
  'Vehicle was exactly as described, title came the same day.',
  'Paid within the hour and picked up on time. Would deal again.',
  'Straight answers before I bought, no surprises at pickup.',
]

/** Both parties have reviewed the newest deal. Only the partner has reviewed the other deals. */
function writeReviews(random: Random, { id }: Account, { done }: Traded) {
  return done.flatMap(({ dealId, other, at }, index) => {
    const createdAt = new Date(at.getTime() + 5 * hourMs)
    const review = (authorId: string, subjectId: string) => ({
      dealId,
      authorId,
      subjectId,
      rating: random.chance(0.7) ? 5 : 4,
      content: random.pick(praise),
      createdAt,
    })
    return [review(other.id, id), ...(index === 0 ? [review(id, other.id)] : [])]
  })
}

const profileOf = (random: Random, now: Date) => {
  const joinedAt = new Date(now.getTime() - joinedDaysAgo * dayMs)
  return {
    createdAt: joinedAt,
    profileCompletedAt: joinedAt,
    description: 'Independent lot in Dallas. We buy and sell clean trades and off-lease units, and ship anywhere.',
    licenseNumber: `TX-${random.int(10_000, 99_999)}`,
    licenseState: 'TX',
    licenseExpiresOn: day(new Date(now.getTime() + licenseDays * dayMs)),
    licenseSubmittedAt: joinedAt,
    licenseVerifiedAt: joinedAt,
  }
}

/** Gives a new demo account several months of history. Does nothing if there are too few demo dealers. */
export async function furnishAccount(tx: Tx, emit: Emit, account: Account, seed: number): Promise<void> {
  const random = seededRandom(seed)
  const second = await findCastMember(tx, marcusEmail)
  const others = (await listCast(tx)).filter(({ id }) => id !== second?.id)
  const near = new Set(await listConnectedTo(tx, danaEmail))
  const neighbors = others.filter(({ id }) => near.has(id))
  const drawnFriends = random.sample(neighbors.length >= friendsMax ? neighbors : others, friendsMax - 1)
  // Put the second demo dealer first. The first friend has an open offer on the account's post, so a visitor can play both sides in two
  // browsers.
  const friends = second ? [second, ...drawnFriends] : drawnFriends
  if (friends.length < partnersMin) return
  const strangers = random.sample(
    others.filter((one) => !friends.includes(one)),
    requestsIn + 10,
  )
  const { now } = account
  const drawn = await listDrawn(tx)
  const author = { random, now, me: account, neighbors: friends, drawn }
  const { own, rows, comments } = writeOwnPosts(author)
  const [offers, pending, approved, bought, ...rest] = friends as [
    CastMember,
    CastMember,
    CastMember,
    CastMember,
    ...CastMember[],
  ]
  const partners: Partners = { offers, pending, approved, bought, past: rest.slice(0, 5) }
  const wanted = await findWanted(tx, random, rest.slice(5))
  const traded = writeTrade(author, own, partners, wanted)
  const network = writeNetwork(random, account, friends, strangers)
  const reviews = writeReviews(random, account, traded)
  const byId = new Map([...friends, ...strangers].map((one) => [one.id, one]))

  await updateDealer(tx, account.id, profileOf(random, now))
  await insertPastNetwork(tx, account.id, network)
  await insertPastPosts(tx, rows)
  await insertPastComments(tx, comments)
  await insertPastTrade(tx, traded.trade)
  for (const dealId of traded.withPapers) await issueDocuments(tx, emit, dealId)
  await insertPastChats(tx, writeChats(author, planChats(own, partners, traded)))
  for (const { other } of traded.done) await countCompletedDeal(tx, [account.id, other.id])
  await insertPastReviews(tx, reviews)
  const reviewed = [...new Set(reviews.map((review) => review.subjectId))]
  for (const subjectId of reviewed) await refreshRating(tx, subjectId)
  await refreshFindSellers(tx, reviewed)
  await refreshFind(
    tx,
    rows.posts.map(({ id }) => id),
  )
  await insertPastNotifications(tx, writeNotices(random, account, network, traded, { own, byId, buyer: offers }))
}

async function findWanted(tx: Tx, random: Random, sellers: readonly CastMember[]) {
  const offered = await listOffered(
    tx,
    sellers.map(({ id }) => id),
    offeredMax,
  )
  const post = offered.length === 0 ? undefined : random.pick(offered)
  const seller = sellers.find(({ id }) => id === post?.dealerId)
  return post && seller && { post, seller }
}
