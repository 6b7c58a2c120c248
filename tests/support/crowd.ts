import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import type { Caller } from './app.ts'
import type { LiveClient } from './live-client.ts'
import { untilTaken } from './wait.ts'

export async function watch(viewer: Caller, postId: string) {
  const live = await viewer.live()
  const counted = { packets: 0 }
  await live.view({ kind: 'post', id: postId, on: true })
  live.socket.onAny(() => (counted.packets += 1))
  return { live, counted }
}

export const comment = (writer: Caller, postId: string, content: string, key = randomUUID()) =>
  writer.post<{ id: string }>(`/api/inventory/${postId}/comments`, { content }, { 'idempotency-key': key })

/** Writes concurrent comments, which wait for each other. A comment that waited too long is refused with 503 and sent again. */
export async function commentAtOnce(t: Test, writers: Caller[], postId: string, count: number): Promise<string[]> {
  const turns = Array.from({ length: Math.ceil(count / writers.length) }, () => writers).flat()
  const answers = await Promise.all(
    turns.slice(0, count).map((writer, n) => untilTaken((key) => comment(writer, postId, `Comment ${n}`, key))),
  )
  t.same(
    answers.filter(({ status }) => status !== 201),
    [],
  )
  return answers.map(({ body }) => body.id).toSorted()
}

export const commentsReceived = ({ heard }: LiveClient): string[] =>
  heard.flatMap(({ name, event }) =>
    name === 'post.comment' ? [(event as { comment: { id: string } }).comment.id] : [],
  )
