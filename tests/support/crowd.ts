import type { Test } from 'tap'
import type { Caller } from './app.ts'
import type { LiveClient } from './live-client.ts'

export async function watch(viewer: Caller, postId: string) {
  const live = await viewer.live()
  const counted = { packets: 0 }
  await live.view({ kind: 'post', id: postId, on: true })
  live.socket.onAny(() => (counted.packets += 1))
  return { live, counted }
}

export const comment = (writer: Caller, postId: string, content: string) =>
  writer.post<{ id: string }>(`/api/inventory/${postId}/comments`, { content })

export async function commentAtOnce(t: Test, writers: Caller[], postId: string, count: number): Promise<string[]> {
  const turns = Array.from({ length: Math.ceil(count / writers.length) }, () => writers).flat()
  const answers = await Promise.all(turns.slice(0, count).map((writer, n) => comment(writer, postId, `Comment ${n}`)))
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
