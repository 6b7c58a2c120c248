import type { Tx } from '#server/platform/db.ts'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { idAt } from './ids.ts'
import { insertMany } from './insert-many.ts'
import { findKnown } from './known-dealers.ts'
import type { Network } from './network.ts'
import { type Random, seededRandom } from './random.ts'

/** Minutes before now, who spoke (`me` is Dana), and what was said. */
type Line = readonly [minutesAgo: number, from: 'me' | 'them', content: string]

interface DemoChat {
  with: string
  /** How many of the last lines Dana has not read. */
  unread: number
  /** The chat was opened from the newest post of the other. */
  isAboutPost?: true
  lines: readonly Line[]
}

const chatSeed = 20_261
const minuteMs = 60_000

/** Dana's conversations, as the design's pictures tell them. */
const chats: readonly DemoChat[] = [
  {
    with: 'priya@lakefront.example',
    unread: 0,
    isAboutPost: true,
    lines: [
      [31, 'them', 'Good morning! Six off-lease crossovers just landed, all under 40k miles.'],
      [14, 'me', 'Which of the six are still open?'],
      [11, 'them', 'Silver CR-V is still open, 34,902 miles. $22,850 with the second key.'],
      [8, 'me', 'Send me the condition report and I will confirm within the hour.'],
    ],
  },
  {
    with: 'luis@herrera.example',
    unread: 2,
    lines: [
      [24, 'them', 'Is the Tacoma ready? I have a buyer in Amarillo.'],
      [20, 'me', 'Tacoma is detailed and on the front line. Want the recon sheet?'],
      [17, 'them', 'Yes please. Driver can pick up Thursday.'],
      [16, 'them', 'Also, would you take $29,000 if I do two?'],
    ],
  },
  {
    with: 'karen@boylemotor.example',
    unread: 0,
    lines: [
      [4_020, 'me', 'How is the lien release coming along?'],
      [41, 'them', 'Mustang title cleared the lien this morning. You still good at $26,100?'],
      [35, 'me', 'Yes. Wire goes out as soon as I have the bill of sale.'],
    ],
  },
  {
    with: 'marcus@webbbros.example',
    unread: 4,
    isAboutPost: true,
    lines: [
      [190, 'me', 'Is the tailgate ding the only thing on the F-150?'],
      [66, 'them', 'That is all of it, photo 6 shows it well.'],
      [65, 'them', 'Reserve is realistic.'],
      [64, 'them', 'Three other stores are watching.'],
      [62, 'them', 'Bid closes tonight, good luck'],
    ],
  },
  {
    with: 'ray@gulfcoast.example',
    unread: 6,
    lines: [
      [1_500, 'me', 'The Camry is posted. Let me know what else you need.'],
      [101, 'them', 'Looks clean.'],
      [100, 'them', 'Any tire tread numbers?'],
      [98, 'them', 'And the service history?'],
      [95, 'them', 'I can do $17,500 today.'],
      [92, 'them', 'Truck is in your area tomorrow.'],
      [87, 'them', 'Photos of the Camry wheels?'],
    ],
  },
  {
    with: 'elena@parkway.example',
    unread: 0,
    lines: [
      [5_800, 'them', 'Bill of Sale is in your inbox.'],
      [5_760, 'me', 'Thanks, Bill of Sale received'],
    ],
  },
]

/** Dana's chats with their messages and what she has read of them. */
export async function seedChats(tx: Tx, network: Network, now: Date): Promise<void> {
  const random = seededRandom(chatSeed)
  const dana = findKnown(network.dealers, danaEmail).id
  const made = chats.map((chat) => {
    const other = findKnown(network.dealers, chat.with)
    const rows = rowsOf(random, chat, dana, other.id, now)
    const post = chat.isAboutPost && network.posts.find(({ dealer }) => dealer.id === other.id)
    return { ...rows, chat: { ...rows.chat, postId: post ? post.id : null } }
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
