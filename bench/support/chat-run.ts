import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { type ChatClient, openChatClient } from '#tests/support/chat-client.ts'
import { untilAnswered } from './answered.ts'
import type { BenchEnv, BenchRow } from './bench.ts'
import { call } from './calls.ts'
import { type BenchChat, openChats } from './chats.ts'
import { countedFaults, startFaults } from './faults.ts'
import { perSecondOf, type Session, withDatabase } from './measure.ts'

const pairs = 50
const readChats = 2
const pollMs = 50
const convergeWithinMs = 60_000

interface Writer {
  chatId: string
  session: Session
  acknowledged: number
}

interface Run {
  messages: number
  begun: number
  acknowledged: number
  retries: number
  odd: string[]
}

/** Sends consecutive numbers as messages. Retries each number with the same key until the server acknowledges it. */
async function write(run: Run, writer: Writer, urls: () => string[], offset: number): Promise<void> {
  const { chatId, session } = writer
  for (let turn = offset; run.begun < run.messages; turn += 1) {
    run.begun += 1
    const headers = { cookie: session.cookie, 'idempotency-key': randomUUID() }
    const body = { chatId, content: String(writer.acknowledged) }
    const { status } = await untilAnswered(
      (again) => {
        const all = urls()
        return call('POST', `${all[(turn + again) % all.length]}/api/messages`, { headers, body })
      },
      () => void (run.retries += 1),
    )
    if (status !== 201) run.odd.push(String(status))
    else {
      writer.acknowledged += 1
      run.acknowledged += 1
    }
  }
}

async function readStarts(client: pg.Client, chats: string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; seq: number }>(
    'select id, last_seq::int as seq from chats where id = any($1)',
    [chats],
  )
  return new Map(rows.map(({ id, seq }) => [id, seq]))
}

interface Stored {
  chatId: string
  senderId: string
  total: number
  different: number
  misordered: number
  numbersMissing: number
}

async function readStored(client: pg.Client, starts: Map<string, number>): Promise<Stored[]> {
  const { rows } = await client.query<Stored>(
    `with sent as (
       select m.chat_id, m.sender_id, m.content::int as number, m.seq - s.seq as place,
         row_number() over (partition by m.chat_id, m.sender_id order by m.seq) - 1 as expected,
         row_number() over (partition by m.chat_id order by m.seq) as place_expected
       from messages m
       join unnest($1::uuid[], $2::bigint[]) s (chat_id, seq) on s.chat_id = m.chat_id and m.seq > s.seq)
     select chat_id as "chatId", sender_id as "senderId", count(*)::int as total,
       count(distinct number)::int as different,
       (count(*) filter (where number <> expected))::int as misordered,
       (count(*) filter (where place <> place_expected))::int as "numbersMissing"
     from sent group by chat_id, sender_id`,
    [[...starts.keys()], [...starts.values()]],
  )
  return rows
}

async function countWrong(client: pg.Client, chatId: string, start: number, reader: ChatClient): Promise<number> {
  const { rows } = await client.query<{ content: string }>(
    'select content from messages where chat_id = $1 and seq > $2 order by seq',
    [chatId, start],
  )
  const held = reader.contents().slice(-rows.length)
  return rows.filter(({ content }, index) => held[index] !== content).length
}

async function settle(readers: { reader: ChatClient; total: number }[]): Promise<void> {
  const end = performance.now() + convergeWithinMs
  for (const { reader, total } of readers)
    while (reader.contents().length < total && performance.now() < end) {
      await reader.audit()
      await wait(pollMs)
    }
}

/** Dealers send messages through every process while faults happen. Some dealers also receive messages, as a browser tab does. */
export async function sendUnderFaults(env: BenchEnv, messages: number, faults: number): Promise<BenchRow[]> {
  const chats = await openChats(env, pairs)
  const starts = await withDatabase(env.databaseUrl, (client) =>
    readStarts(
      client,
      chats.map(({ chatId }) => chatId),
    ),
  )
  const source = await startFaults(env)
  const urls = () => [...env.nodes, ...source.urls()]
  const closing: (() => void)[] = []
  const read = ({ chatId, from, to }: BenchChat) =>
    [from, to].map(async ({ cookie }, index) => ({
      chatId,
      reader: await openChatClient(
        { teardown: (close) => void closing.push(close as () => void) },
        // Connect to one of the processes that faults kill, if one is running.
        { chatId, cookie, url: () => source.urls()[index] ?? env.nodes[0] ?? '' },
      ),
    }))
  const readers = await Promise.all(chats.slice(0, readChats).flatMap(read))
  const writers = chats.flatMap(({ chatId, from, to }) =>
    [from, to].map((session): Writer => ({ chatId, session, acknowledged: 0 })),
  )
  const run: Run = { messages, begun: 0, acknowledged: 0, retries: 0, odd: [] }
  const done: Record<string, number> = {}
  const disturb = async () => {
    for (let fault = 0; fault < faults; fault += 1) {
      // Space the faults evenly over the run, so that messages are in flight during each fault.
      while (run.begun < Math.min(messages, (fault * messages) / faults)) await wait(pollMs)
      const name = await source.next()
      done[name] = (done[name] ?? 0) + 1
    }
  }
  const began = performance.now()
  await Promise.all([disturb(), ...writers.map((writer, index) => write(run, writer, urls, index))])
  const seconds = (performance.now() - began) / 1_000
  await source.settle()
  const lengths = await withDatabase(env.databaseUrl, (client) =>
    readStarts(
      client,
      readers.map(({ chatId }) => chatId),
    ),
  )
  await settle(readers.map(({ chatId, reader }) => ({ reader, total: lengths.get(chatId) ?? 0 })))
  const rows = await withDatabase(env.databaseUrl, async (client) => {
    const stored = await readStored(client, starts)
    let wrong = 0
    for (const { chatId, reader } of readers) wrong += await countWrong(client, chatId, starts.get(chatId) ?? 0, reader)
    const held = readers.reduce((sum, { chatId }) => sum + (lengths.get(chatId) ?? 0) - (starts.get(chatId) ?? 0), 0)
    return [
      ...judge(run, writers, stored, seconds),
      {
        what: `messages before ${readers.length} readers; wrong: missing or in another chat`,
        counted: held,
        wrong,
      },
    ]
  })
  for (const close of closing) close()
  await source.close()
  return [countedFaults(done, seconds), ...rows]
}

function judge(run: Run, writers: Writer[], stored: Stored[], seconds: number): BenchRow[] {
  const sum = (of: (row: Stored) => number) => stored.reduce((total, row) => total + of(row), 0)
  const total = sum((row) => row.total)
  const lost = writers.reduce((missing, { chatId, session, acknowledged }) => {
    const row = stored.find((one) => one.chatId === chatId && one.senderId === session.dealerId)
    return missing + Math.max(0, acknowledged - (row?.different ?? 0))
  }, 0)
  return [
    {
      what: `messages acknowledged (${perSecondOf(run.acknowledged, seconds)}/s, retries: ${run.retries}); wrong: lost`,
      counted: run.acknowledged,
      wrong: lost,
    },
    {
      what: 'messages stored; wrong: stored twice or never acknowledged',
      counted: total,
      wrong: total - (run.acknowledged - lost),
    },
    { what: 'messages out of their writer’s order', counted: total, wrong: sum((row) => row.misordered) },
    { what: 'messages behind a number that is missing', counted: total, wrong: sum((row) => row.numbersMissing) },
    {
      what: `responses that no sender may get ${run.odd.slice(0, 3).join(', ')}`,
      counted: run.odd.length,
      wrong: run.odd.length,
    },
  ]
}
