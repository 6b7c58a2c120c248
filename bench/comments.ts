import { once } from 'node:events'
import { io } from 'socket.io-client'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { openSessions, percentile, rounded } from './support/measure.ts'

export const name = 'Comment POST → seen by another dealer'

const samples = 300

async function connect(url: string, cookie: string) {
  const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie } })
  await once(socket as never, 'hello')
  return socket
}

/** One dealer writes on one node; another looks at the post on the same or on another node. */
async function measure(
  writerUrl: string,
  readerUrl: string,
  cookies: { writer: string; reader: string },
): Promise<number[]> {
  const list = await fetch(`${writerUrl}/api/inventory?limit=1`, { headers: { cookie: cookies.writer } })
  const [post] = (await list.json()) as { id: string }[]
  if (post === undefined) throw new Error('the demo network has no posts')
  const socket = await connect(readerUrl, cookies.reader)
  await socket.emitWithAck('view', { kind: 'post', id: post.id, on: true })
  const seenAt = new Map<string, number>()
  socket.on('post.comment', ({ comment }: { comment: { content: string } }) =>
    seenAt.set(comment.content, performance.now()),
  )
  const times: number[] = []
  for (let index = 0; index < samples; index += 1) {
    const content = `bench ${index}`
    const start = performance.now()
    const seen = new Promise<void>((resolve) => {
      socket.once('post.comment', () => resolve())
    })
    const response = await fetch(`${writerUrl}/api/inventory/${post.id}/comments`, {
      method: 'POST',
      headers: { cookie: cookies.writer, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
    if (response.status !== 201) throw new Error(`the comment was refused: ${response.status}`)
    await seen
    times.push((seenAt.get(content) ?? Number.NaN) - start)
  }
  socket.disconnect()
  return times
}

export async function run({ nodes: [one = '', two = ''], databaseUrl }: BenchEnv): Promise<BenchRow[]> {
  const [writer, reader] = await openSessions(databaseUrl, 2)
  const cookies = { writer: writer?.cookie ?? '', reader: reader?.cookie ?? '' }
  const rows: BenchRow[] = []
  for (const [figure, url] of [
    ['same node', one],
    ['other node', two],
  ] as const) {
    const times = await measure(one, url, cookies)
    rows.push({
      figure,
      samples,
      'p50 ms': rounded(percentile(times, 0.5)),
      'p99 ms': rounded(percentile(times, 0.99)),
      goal: 'p50 ≤ 10 ms',
    })
  }
  return rows
}
