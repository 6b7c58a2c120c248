import { formatNumber } from '#shared/format.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { idAt } from './ids.ts'
import { insertMany } from './insert-many.ts'
import { findKnown } from './known-dealers.ts'
import type { Network } from './network.ts'
import type { DemoPost } from './network-posts.ts'
import { dollars, fill } from './post-text.ts'
import { type Random, seededRandom } from './random.ts'

/** `me` is Dana, the demo's main dealer. */
type Line = readonly [minutesAgo: number, from: 'me' | 'them', content: string]

interface DemoChat {
  with: string
  unread: number
  /** Owner of the post that the chat is about: the owner's newest with a single vehicle. It also fills the lines' placeholders. */
  about: 'me' | 'them'
  isAuction?: true
  lines: readonly Line[]
}

const chatSeed = 20_261
const minuteMs = 60_000

const chats: readonly DemoChat[] = [
  {
    with: 'priya@lakefront.example',
    unread: 0,
    about: 'them',
    lines: [
      [31, 'them', 'Good to hear from you. What are you short of this week?'],
      [14, 'me', 'Is the {vehicle} still open?'],
      [11, 'them', 'Still open, {miles} miles, {price} as posted.'],
      [8, 'me', 'Send me the condition report and I will confirm within the hour.'],
    ],
  },
  {
    with: 'luis@herrera.example',
    unread: 2,
    about: 'me',
    lines: [
      [24, 'them', 'Is the {model} ready? I have a buyer in Amarillo.'],
      [20, 'me', '{vehicle} is on the front line. Want the recon sheet?'],
      [17, 'them', 'Yes please. Driver can pick up Thursday.'],
      [16, 'them', 'Also, would you take {offer} if I do two?'],
    ],
  },
  {
    with: 'karen@boylemotor.example',
    unread: 0,
    about: 'them',
    lines: [
      [4_020, 'me', 'Saw your {vehicle}. How firm is the number?'],
      [41, 'them', 'For you there is a little room. You still good at {offer}?'],
      [35, 'me', 'Yes. Wire goes out as soon as I have the bill of sale.'],
    ],
  },
  {
    with: 'marcus@webbbros.example',
    unread: 4,
    about: 'them',
    isAuction: true,
    lines: [
      [9, 'me', 'What should I know about the {model} before I bid?'],
      [7, 'them', '{miles} miles, and the photos show what there is to see.'],
      [6, 'them', 'Reserve is realistic.'],
      [5, 'them', 'Other stores are on it already.'],
      [4, 'them', 'Good luck with the bidding.'],
    ],
  },
  {
    with: 'ray@gulfcoast.example',
    unread: 6,
    about: 'me',
    lines: [
      [1_500, 'me', 'The {model} is posted. Let me know what else you need.'],
      [101, 'them', 'Looks clean.'],
      [100, 'them', 'Any tire tread numbers?'],
      [98, 'them', 'And the service history?'],
      [95, 'them', 'I can do {offer} today.'],
      [92, 'them', 'Truck is in your area tomorrow.'],
      [87, 'them', 'Photos of the {model} wheels?'],
    ],
  },
  {
    with: 'elena@parkway.example',
    unread: 0,
    about: 'them',
    lines: [
      [5_800, 'them', 'Bill of Sale is in your inbox.'],
      [5_760, 'me', 'Thanks, Bill of Sale received'],
    ],
  },
]

/** Returns the seller's newest post that is older than the chat and that no other chat is about. */
function subjectOf({ posts }: Network, { lines, isAuction }: DemoChat, seller: string, now: Date, taken: Set<string>) {
  const before = now.getTime() - (lines[0]?.[0] ?? 0) * minuteMs
  const found = posts.find(
    ({ id, dealer, vehicles, createdAt, auction }) =>
      dealer.id === seller &&
      vehicles.length === 1 &&
      vehicles[0]?.status === 'available' &&
      createdAt.getTime() < before &&
      (auction !== undefined) === (isAuction === true) &&
      !taken.has(id),
  )
  if (found) taken.add(found.id)
  return found
}

const offerShare = 0.94

function slotsOf(post: DemoPost | undefined): Record<string, string> {
  const vehicle = post?.vehicles[0]
  if (vehicle === undefined)
    return { vehicle: 'last one', model: 'last one', miles: 'few', price: 'Same price', offer: 'that' }
  const { year, make, model, mileage, priceCents } = vehicle
  const offer = Math.round((priceCents * offerShare) / 10_000) * 10_000
  const miles = formatNumber(mileage)
  return { vehicle: `${year} ${make} ${model}`, model, miles, price: dollars(priceCents), offer: dollars(offer) }
}

export async function seedChats(tx: Tx, network: Network, now: Date): Promise<void> {
  const random = seededRandom(chatSeed)
  const dana = findKnown(network.dealers, danaEmail).id
  const taken = new Set<string>()
  const made = chats.map((chat) => {
    const other = findKnown(network.dealers, chat.with)
    const post = subjectOf(network, chat, chat.about === 'me' ? dana : other.id, now, taken)
    const slots = slotsOf(post)
    const lines = chat.lines.map(([ago, from, content]): Line => [ago, from, fill(content, slots)])
    const { messages, ...rows } = rowsOf(random, { ...chat, lines }, dana, other.id, now)
    // Attach the post to the first message, as if the dealer had started the chat from the post.
    const sent = messages.map((message, index) => ({ ...message, postId: index === 0 ? (post?.id ?? null) : null }))
    return { ...rows, messages: sent }
  })
  await insertMany(
    tx,
    'chats',
    made.map(({ chat }) => chat),
  )
  await insertMany(
    tx,
    'chat_members',
    made.flatMap(({ members }) => members),
  )
  await insertMany(
    tx,
    'messages',
    made.flatMap(({ messages }) => messages),
  )
}

function rowsOf(random: Random, { unread, lines }: DemoChat, dana: string, other: string, now: Date) {
  const at = (minutesAgo: number) => new Date(now.getTime() - minutesAgo * minuteMs)
  const createdAt = at(lines[0]?.[0] ?? 0)
  const id = idAt(random, createdAt)
  const messages = lines.map(([minutesAgo, from, content], index) => ({
    chatId: id,
    seq: index + 1,
    rev: index + 1,
    id: idAt(random, at(minutesAgo)),
    senderId: from === 'me' ? dana : other,
    clientId: idAt(random, at(minutesAgo)),
    content,
    createdAt: at(minutesAgo),
  }))
  const lastSeq = lines.length
  const chat = {
    id,
    lowDealerId: dana < other ? dana : other,
    highDealerId: dana < other ? other : dana,
    openedBy: messages[0]?.senderId ?? dana,
    rev: lastSeq,
    lastSeq,
    lastActivity: messages.at(-1)?.createdAt ?? createdAt,
    createdAt,
  }
  const members = [
    { chatId: id, dealerId: dana, readSeq: lastSeq - unread },
    { chatId: id, dealerId: other, readSeq: lastSeq },
  ]
  return { chat, members, messages }
}
