import { plural } from '#shared/format.ts'
import { idAt } from '#server/db/seed/ids.ts'
import { dollars } from '#server/db/seed/post-text.ts'
import type { Random } from '#server/db/seed/random.ts'
import type { PastChats } from '#server/features/messaging/chats-demo.service.ts'
import type { OwnPost } from './account-posts.ts'
import type { Partners, Traded } from './account-trade.ts'
import type { CastMember, KnownPost } from './demo.repository.ts'

const minuteMs = 60_000

type Line = readonly [minutesAgo: number, from: 'me' | 'them', content: string]

interface PastChat {
  other: CastMember
  unread: number
  /** The post from which the dealer sent the first message. */
  postId: string | null
  lines: readonly Line[]
}

const vehicleOf = ({ year, make, model }: Pick<KnownPost, 'year' | 'make' | 'model'>) => `${year} ${make} ${model}`
const milesOf = ({ mileage }: { mileage: number }) => plural(mileage, 'mile')

/** Plans chats whose messages mention the amounts of the account's offers and deals. */
export function planChats(
  own: readonly OwnPost[],
  partners: Partners,
  { offer, counter, pendingCents }: Traded,
): PastChat[] {
  const [newest, , pending, approved, sold] = own.map((post) => ({ ...post, name: vehicleOf(post.vehicle) }))
  const chats: PastChat[] = []
  if (newest)
    chats.push({
      other: partners.offers,
      unread: 1,
      postId: newest.id,
      lines: [
        [95, 'them', `Is your ${newest.name} still open? I have a retail customer for it.`],
        [88, 'me', `Still here. ${milesOf(newest.vehicle)}, ${dollars(newest.vehicle.priceCents)}.`],
        [
          offer.minutesAgo - 1,
          'them',
          `I just sent you an offer at ${dollars(offer.cents)}. Take a look when you can.`,
        ],
      ],
    })
  if (counter) {
    const { post, seller, cents, minutesAgo } = counter
    chats.push({
      other: seller,
      unread: 0,
      postId: post.id,
      lines: [
        [minutesAgo + 41, 'me', `Is the ${vehicleOf(post)} still available?`],
        [minutesAgo + 22, 'them', `It is. ${milesOf(post)}, ${dollars(post.priceCents)} as posted.`],
        [minutesAgo - 2, 'me', `I put in an offer at ${dollars(cents[0])}.`],
        [minutesAgo / 2 - 3, 'them', `I can do ${dollars(cents[1])} if you pick up this week. It is in your deals.`],
        [minutesAgo / 2 - 9, 'me', 'Let me run it by my buyer.'],
      ],
    })
  }
  if (pending)
    chats.push({
      other: partners.pending,
      unread: 2,
      postId: pending.id,
      lines: [
        [49 * 60 - 6, 'them', `Thanks for taking ${dollars(pendingCents)} on the ${pending.name}.`],
        [49 * 60 - 30, 'me', 'Glad it goes to you. I will approve the deal once it is off the line.'],
        [58, 'them', 'Driver can be there Thursday.'],
        [55, 'them', 'Let me know when the paperwork is up.'],
      ],
    })
  if (approved)
    chats.push({
      other: partners.approved,
      unread: 0,
      postId: approved.id,
      lines: [
        [47 * 60, 'me', `Paperwork for the ${approved.name} is in the deal.`],
        [46 * 60, 'them', 'Got it. I will sign tonight and send the carrier.'],
      ],
    })
  if (sold)
    chats.push({
      other: partners.bought,
      unread: 0,
      postId: sold.id,
      lines: [
        [188 * 60, 'them', `The ${sold.name} made it here. Exactly as described.`],
        [187 * 60, 'me', 'Good to hear. Thanks for the quick wire.'],
      ],
    })
  return chats
}

export function writeChats(
  { random, now, me }: { random: Random; now: Date; me: CastMember },
  chats: readonly PastChat[],
): PastChats {
  const rows: PastChats = { chats: [], members: [], messages: [] }
  for (const { other, unread, postId, lines } of chats) {
    const at = (minutesAgo: number) => new Date(now.getTime() - minutesAgo * minuteMs)
    const [createdAt, lastActivity] = [at(lines[0]?.[0] ?? 0), at(lines.at(-1)?.[0] ?? 0)]
    const id = idAt(random, createdAt)
    const [lowDealerId, highDealerId] = me.id < other.id ? [me.id, other.id] : [other.id, me.id]
    const openedBy = lines[0]?.[1] === 'me' ? me.id : other.id
    const [rev, lastSeq] = [lines.length, lines.length]
    rows.chats.push({ id, lowDealerId, highDealerId, openedBy, rev, lastSeq, lastActivity, createdAt })
    rows.members.push(
      { chatId: id, dealerId: me.id, readSeq: lastSeq - unread },
      { chatId: id, dealerId: other.id, readSeq: lastSeq },
    )
    for (const [index, [minutesAgo, from, content]] of lines.entries())
      rows.messages.push({
        id: idAt(random, at(minutesAgo)),
        chatId: id,
        seq: index + 1,
        rev: index + 1,
        senderId: from === 'me' ? me.id : other.id,
        clientId: idAt(random, at(minutesAgo)),
        content,
        createdAt: at(minutesAgo),
        postId: index === 0 ? postId : null,
      })
  }
  return rows
}
