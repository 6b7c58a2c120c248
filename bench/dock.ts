import type { Page } from 'playwright-core'
import type { Chat } from '#shared/schemas/messaging.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { openBrowser } from './support/browser.ts'
import { call } from './support/calls.ts'
import { openSessions, perSecondOf, rounded } from './support/measure.ts'

export const name = 'Dock: a day of messages in an open tab, its DOM and its memory'

/** Messages before the first measurement, to exclude one-time compilation and caching from the growth. */
const warmUp = 1_000
const aDay = 50_000
const openChats = 3
/** Events that arrive between two frames. */
const perFrame = 500
const collections = 3
const bytesPerMb = 1024 ** 2
const millisecondsPerSecond = 1_000

declare global {
  interface Window {
    benchSockets: WebSocket[]
  }
}

async function makeChats({ nodes: [url = ''], databaseUrl }: BenchEnv) {
  const [reader, ...others] = await openSessions(databaseUrl, 1 + openChats)
  if (reader === undefined || others.length < openChats) throw new Error('the demo network is too small')
  const chats: Chat[] = []
  for (const { cookie } of others) {
    const ask = (path: string, body: object) => call('POST', url + path, { headers: { cookie }, body })
    const { body } = await ask('/api/chats', { dealerId: reader.dealerId })
    const { id } = body as Chat
    await ask('/api/messages', { chatId: id, content: 'Good morning' })
    chats.push((await call('GET', `${url}/api/chats/${id}`, { headers: { cookie } })).body as Chat)
  }
  return { reader, chats }
}

async function openDock(env: BenchEnv, cookie: string, chats: Chat[], readerId: string) {
  const [url = ''] = env.nodes
  const browser = await openBrowser(env)
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1700, height: 900 } })
  const [key = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name: key, value, url }])
  await context.addInitScript(() => {
    window.benchSockets = []
    window.WebSocket = class extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols)
        window.benchSockets.push(this)
      }
    }
  })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('Live updates').waitFor()
  await page.getByRole('button', { name: /^Messaging/ }).click()
  for (const { participants } of chats) {
    const other = participants.find(({ id }) => id !== readerId)?.name ?? ''
    await page.getByRole('list', { name: 'Conversations' }).getByText(other).first().click()
    await page.getByRole('log', { name: `Messages with ${other}` }).waitFor()
  }
  return { browser, page }
}

/** Delivers messages as frames of the page's own socket, numbered from `from`. Returns the duration in seconds. */
async function receive(page: Page, chats: Chat[], readerId: string, { from, count }: { from: number; count: number }) {
  const talkers = chats.map(({ id, lastSeq, participants }) => ({
    chatId: id,
    first: lastSeq + 1,
    senderId: participants.find((one) => one.id !== readerId)?.id ?? '',
  }))
  const start = performance.now()
  await page.evaluate(
    async ({ talkers, from, count, perFrame }) => {
      for (let n = from; n < from + count; n += 1) {
        const talker = talkers[n % talkers.length]
        if (talker === undefined) throw new Error('nobody talks')
        const seq = talker.first + Math.floor(n / talkers.length)
        const message = {
          id: crypto.randomUUID(),
          clientId: crypto.randomUUID(),
          seq,
          rev: seq,
          senderId: talker.senderId,
          content: `Message ${seq}: would you take $24,500 for the Tacoma if the driver comes on Thursday?`,
          createdAt: new Date().toISOString(),
          attachmentUrl: null,
          attachmentName: null,
        }
        const event = ['chat.message', { chatId: talker.chatId, rev: seq, seq, message }]
        window.benchSockets.at(-1)?.dispatchEvent(new MessageEvent('message', { data: `42${JSON.stringify(event)}` }))
        if (n % perFrame === 0) await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    },
    { talkers, from, count, perFrame },
  )
  const last = talkers[(from + count - 1) % talkers.length]?.first ?? 0
  await page
    .getByText(`Message ${last + Math.floor((from + count - 1) / talkers.length)}:`)
    .last()
    .waitFor()
  return (performance.now() - start) / millisecondsPerSecond
}

async function footprint(page: Page) {
  const session = await page.context().newCDPSession(page)
  for (let n = 0; n < collections; n += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  const count = (selector: string) => page.locator(selector).count()
  return { heapMb: usedSize / bytesPerMb, rows: await count('[data-seq]'), elements: await count('*') }
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const { reader, chats } = await makeChats(env)
  const { browser, page } = await openDock(env, reader.cookie, chats, reader.dealerId)
  try {
    await receive(page, chats, reader.dealerId, { from: 0, count: warmUp })
    const before = await footprint(page)
    const seconds = await receive(page, chats, reader.dealerId, { from: warmUp, count: aDay })
    const after = await footprint(page)
    const toRow = (figure: string, seen: typeof before, goal: string, note: string): BenchRow => ({
      figure,
      'message rows': seen.rows,
      'DOM elements': seen.elements,
      'heap MB': rounded(seen.heapMb),
      goal,
      note,
    })
    return [
      toRow(`after ${warmUp} messages`, before, '', `${openChats} windows open`),
      toRow(
        `after ${aDay} more`,
        after,
        `${before.rows} rows, heap + 10 MB at most`,
        `+ ${rounded(after.heapMb - before.heapMb)} MB; ${perSecondOf(aDay, seconds)} a second`,
      ),
    ]
  } finally {
    await browser.close()
  }
}
