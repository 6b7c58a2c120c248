import { LRUCache } from 'lru-cache'
import type { Context } from '#server/platform/process/context.ts'
import { isUnplayed, type Writing } from './chats-demo.repository.ts'
import { readSent } from './messages.service.ts'

const readAfterMs = 1_200
const typeForMs = 2_500
/** Caches for this long whether a simulated dealer answers, which saves a query per message. */
const playedMs = 5_000
const pairsMax = 10_000

const inMs = (ms: number) => ({ runAt: new Date(Date.now() + ms) })

/** In a demo, queues jobs that make simulated dealers read, type and answer. */
export function startDemoReplies(ctx: Context): void {
  if (!ctx.config.demo) return
  const answering = new LRUCache<string, boolean, Writing>({
    max: pairsMax,
    ttl: playedMs,
    fetchMethod: async (_pair, _stale, { context }) => isUnplayed(ctx.db, context),
  })
  ctx.bus.on('message.sent', async (event) => {
    const sent = await readSent(ctx, event)
    if (sent === undefined) return
    const {
      chatId,
      dealerIds,
      message: { senderId },
    } = sent
    const dealerId = dealerIds.find((id) => id !== senderId) ?? senderId
    const context = { senderId, otherId: dealerId }
    if (!(await answering.forceFetch(`${senderId} ${dealerId}`, { context }))) return
    await ctx.transact((_tx, emit) =>
      emit.job('chat.demoTyping', { chatId, dealerId }, { uniqueKey: chatId, ...inMs(readAfterMs) }),
    )
  })
}

export const replyDue = () => inMs(typeForMs)

const answers: { about: RegExp; lines: string[] }[] = [
  {
    about: /\b(price|offer|take|\$|number|best|lower|ask)/i,
    lines: [
      'I have a little room. If you can pick up this week I can take $300 off.',
      'That is close. Meet me in the middle and I will hold it for you.',
      'Price is firm until Friday, then it goes to auction.',
    ],
  },
  {
    about: /\b(photo|picture|pic|image|video)/i,
    lines: [
      'Sending four more photos this afternoon, including the undercarriage.',
      'Will walk around it with the phone after lunch.',
    ],
  },
  {
    about: /\b(title|lien|bill of sale|paper)/i,
    lines: ['Title is in hand and clear. Bill of Sale goes out the same day.', 'Lien was released on Monday.'],
  },
  {
    about: /\b(pick ?up|deliver|ship|transport|driver|when)/i,
    lines: [
      'Your driver can come any weekday between 8 and 5.',
      'I can have it on a truck Thursday if you confirm today.',
    ],
  },
  {
    about: /\b(condition|report|damage|accident|carfax|tire|tyre|miles|mileage)/i,
    lines: [
      'Clean Carfax, two owners. Condition report is attached to the post.',
      'Tires are at 7/32 all around. One small ding on the left rear door.',
    ],
  },
  {
    about: /\b(thanks|thank you|great|deal|ok|yes)\b/i,
    lines: ['Sounds good. I will get it ready.', 'Great, talk soon.'],
  },
]

const defaultReplies = [
  'Still available. What do you need to know?',
  'Let me check with the lot and get back to you in a few minutes.',
  'Good timing, I was about to run it through the lane.',
]

export function demoAnswer(content: string, turn: number): string {
  const phrases = answers.find(({ about }) => about.test(content))?.lines ?? defaultReplies
  return phrases[turn % phrases.length] ?? 'Still available.'
}
