import type { BenchEnv } from './bench.ts'
import { call } from './calls.ts'
import { openSessions, type Session } from './measure.ts'

export interface BenchChat {
  chatId: string
  from: Session
  to: Session
}

export async function openChats({ nodes: [url = ''], databaseUrl }: BenchEnv, pairs: number): Promise<BenchChat[]> {
  const sessions = await openSessions(databaseUrl, 2 * pairs)
  const chats: BenchChat[] = []
  for (let index = 0; index < pairs; index += 1) {
    const [from, to] = [sessions[2 * index], sessions[2 * index + 1]]
    if (from === undefined || to === undefined) throw new Error('the demo network is too small')
    const { status, body } = await call('POST', `${url}/api/chats`, {
      headers: { cookie: from.cookie },
      body: { dealerId: to.dealerId },
    })
    if (status !== 201) throw new Error(`the chat was refused: ${status}`)
    chats.push({ chatId: (body as { id: string }).id, from, to })
  }
  return chats
}
