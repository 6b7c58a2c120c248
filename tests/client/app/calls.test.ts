import t from 'tap'
import { call, callPage } from '#client/lib/http/api.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import type { DealDetail } from '#shared/schemas/deals.ts'

const id: string = 'a0'

t.test('type-checks paths, bodies and answers, and rejects calls the server lacks', (t) => {
  // `npm run check` type-checks these calls. They are never called.
  const calls = {
    one: (): Promise<Chat> => call(`/api/chats/${id}`),
    page: async (): Promise<Chat[]> => (await callPage('/api/chats')).rows,
    // This path matches two routes. A literal segment takes precedence over a parameter.
    act: (): Promise<DealDetail> => call(`/api/deal/${id}/approve`, { method: 'POST' }),
    // @ts-expect-error the server has no such path
    unknownPath: () => call('/api/chat'),
    // @ts-expect-error the path exists, but has no DELETE
    unknownMethod: () => call(`/api/chats/${id}`, { method: 'DELETE' }),
    // @ts-expect-error a chat is not a deal
    otherAnswer: (): Promise<DealDetail> => call(`/api/chats/${id}`),
    // @ts-expect-error the text of a message is not a number
    otherBody: () => call('/api/messages', { method: 'POST', body: { chatId: id, content: 5 } }),
  }
  t.equal(Object.keys(calls).length, 7)
  t.end()
})
