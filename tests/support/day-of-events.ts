import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import type { LaneChange } from '#shared/events/lane.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import type { Post } from '#shared/schemas/posts.ts'

/** A socket message that awaits an answer: its number, the event and its payload. */
const command = /^42(\d+)\["(view|sync)",(.*)\]$/s

/** Returns the answer to a message about posts, which exist only in the test. Undefined for other messages. */
function answerFor(text: string): string | undefined {
  const [, number, event, payload = '{}'] = command.exec(text) ?? []
  if (event === undefined) return undefined
  const { kind = '', posts } = JSON.parse(payload) as { kind?: string; posts?: object }
  if (event === 'sync' ? posts === undefined : !['post', 'lot', 'auction'].includes(kind)) return undefined
  return `43${number}${JSON.stringify([{ ok: true, data: event === 'sync' ? {} : null }])}`
}

/**
 * Sends events to the page as if the server had sent them. The page may name posts that the server does not know: it would have the page
 * remove them. Call it before the page opens.
 */
export async function injectEvents(context: BrowserContext) {
  let send: (text: string) => void = () => undefined
  let hellos = 0
  await context.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((text) => {
      socket.send(text)
      if (text.includes('"hello"')) hellos += 1
    })
    socket.onMessage((text) => {
      const answer = answerFor(String(text))
      if (answer === undefined) server.send(text)
      else socket.send(answer)
    })
    send = (text) => socket.send(text)
  })
  return {
    hellos: () => hellos,
    emit: (name: string, event: unknown) => send(`42${JSON.stringify([name, event])}`),
    emitBatch: (events: readonly (readonly [string, unknown])[]) => send(`42${JSON.stringify(['batch', events])}`),
  }
}

const at = () => new Date().toISOString()

/** Returns the next messages of these chats, in turn. */
export function createMessages(chats: readonly Chat[]) {
  const heads = chats.map(({ id, rev, lastSeq, participants, messages }) => {
    const senderId = messages[0]?.senderId ?? participants[0]?.id ?? ''
    return { id, rev, seq: lastSeq, senderId }
  })
  const nextOf = (head: (typeof heads)[number]): ChatMessageEvent => {
    head.rev += 1
    head.seq += 1
    const { id: chatId, rev, seq, senderId } = head
    const content = `Message ${seq}: would you take two thousand less if I pick it up on Thursday?`
    const message = { id: randomUUID(), seq, rev, senderId, content, createdAt: at(), clientId: randomUUID() }
    return { chatId, rev, seq, message: { ...message, attachmentUrl: null, attachmentName: null } }
  }
  return (count: number): ChatMessageEvent[] =>
    Array.from({ length: count }, (_, index) => nextOf(heads[index % heads.length] as (typeof heads)[number]))
}

const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/

/** Returns new posts like this one, each with a title and photos of its own. */
export const copiesOf = ({ photoInfo: _info, ...post }: Post, count: number): Post[] =>
  Array.from({ length: count }, () => {
    const id = randomUUID()
    return {
      ...post,
      id,
      title: `Truck ${id}`,
      photoUrls: post.photoUrls.map((url) => url.replace(uuid, randomUUID())),
      vehicles: post.vehicles.map((vehicle) => ({ ...vehicle, photos: [] })),
      version: 1,
      createdAt: at(),
      updatedAt: at(),
      hasAuction: false,
    }
  })

/** Returns the event that counts another view of a new post. */
export function changeOf({ id: postId, version, viewCount, ...post }: Post) {
  const { status, vehicleCount, availableCount, commentCount, likeCount, infoCount, bidCount } = post
  const counts = { vehicleCount, availableCount, commentCount, likeCount, infoCount, bidCount }
  return { postId, version: version + 1, status, viewCount: viewCount + 1, ...counts }
}

/** Returns running auctions that no list knows yet. */
export const newAuctions = (count: number): LaneChange[] =>
  Array.from({ length: count }, () => ({
    postId: randomUUID(),
    seq: 1,
    status: 'open',
    amount: 20_000,
    minNext: 20_500,
    bidCount: 3,
    leader: 2,
    reserve: 'none',
    startsAt: at(),
    endsAt: new Date(Date.now() + 600_000).toISOString(),
  }))
