import type pg from 'pg'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { metered, openSessions, type Session, sequence, thousands, toRow, withDatabase } from './support/measure.ts'

export const name = 'Files: who may see one'

const size = 100_000
const samples = 400
const dealers = 20
const width = 960
const ok = 304

/** Percentage of files attached to each kind. The rest are drafts. */
const shares = { post: 60, message: 25, comment: 10 } as const
type Kind = keyof typeof shares | 'draft'

/** Fills up to `size` files of these dealers, attached to seeded posts and to their chats. */
async function growTo(databaseUrl: string, people: Session[]): Promise<void> {
  const ids = people.map(({ dealerId }) => dealerId).toSorted()
  await withDatabase(databaseUrl, async (client) => {
    await client.query('create temp table bench_files (n int, id uuid, kind text, owner_no int)')
    await client.query(
      `insert into bench_files select g, uuidv7(),
         case when g % 100 < $2 then 'post' when g % 100 < $3 then 'message' when g % 100 < $4 then 'comment' else 'draft' end,
         1 + g % $5
       from generate_series(1, $1 - (select count(*)::int from objects)) g`,
      [size, shares.post, shares.post + shares.message, shares.post + shares.message + shares.comment, dealers],
    )
    await client.query(
      `insert into objects (id, dealer_id, kind, state, content_type, bytes, width, height, widths, stored_at, attached_at)
       select id, ($1::uuid[])[owner_no], 'photo', 'ready', 'image/webp', 1, $2, 640, array[$2::int], now(),
         case when kind <> 'draft' then now() end
       from bench_files`,
      [ids, width],
    )
    await client.query(
      `insert into photos (post_id, position, url)
       select seeds.ids[1 + n % array_length(seeds.ids, 1)], 1000 + n, '/api/objects/' || id
       from bench_files, (select array_agg(id) as ids from posts) seeds where kind = 'post'`,
    )
    await client.query(
      `insert into comments (post_id, dealer_id, content, attachment_url)
       select seeds.ids[1 + n % array_length(seeds.ids, 1)], ($1::uuid[])[owner_no], 'See the file', '/api/objects/' || id
       from bench_files, (select array_agg(id) as ids from posts) seeds where kind = 'comment'`,
      [ids],
    )
    await growChats(client, ids)
    for (const table of ['objects', 'photos', 'comments', 'messages']) await client.query(`vacuum analyze ${table}`)
  })
}

async function growChats(client: pg.Client, ids: string[]): Promise<void> {
  await client.query(
    `insert into chats (low_dealer_id, high_dealer_id, opened_by)
     select least(a, b), greatest(a, b), a
     from (select ($1::uuid[])[i] as a, ($1::uuid[])[1 + i % $2] as b from generate_series(1, $2) i) pairs
     on conflict do nothing`,
    [ids, dealers],
  )
  await client.query(
    `insert into chat_members (chat_id, dealer_id)
     select id, member from chats cross join lateral unnest(array[low_dealer_id, high_dealer_id]) as member
     on conflict do nothing`,
  )
  await client.query(
    `insert into messages (chat_id, seq, rev, sender_id, client_id, content, attachment_url, created_at)
     select chats.id, 100000 + n, 100000 + n, sender, gen_random_uuid(), '', '/api/objects/' || files.id, now()
     from (select n, id, ($1::uuid[])[owner_no] as sender, ($1::uuid[])[1 + owner_no % $2] as receiver
       from bench_files where kind = 'message') files
     join chats on low_dealer_id = least(sender, receiver) and high_dealer_id = greatest(sender, receiver)`,
    [ids, dealers],
  )
}

interface Sample {
  id: string
  owner: number
}

async function pick(databaseUrl: string, kind: Kind, people: Session[]): Promise<Sample[]> {
  const hangs: Record<Kind, string> = {
    post: `exists (select from photos where url = '/api/objects/' || o.id)`,
    comment: 'exists (select from comments where attachment_object = o.id)',
    message: `exists (select from messages where attachment_url = '/api/objects/' || o.id)`,
    draft: 'o.attached_at is null',
  }
  const ids = people.map(({ dealerId }) => dealerId)
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; dealerId: string }>(
      `select id, dealer_id as "dealerId" from objects o
       where o.state = 'ready' and ${width} = any(o.widths) and dealer_id = any($1) and ${hangs[kind]} order by random() limit ${samples}`,
      [ids],
    )
    return rows.map(({ id, dealerId }) => ({ id, owner: ids.indexOf(dealerId) }))
  })
}

interface Case {
  figure: string
  files: Sample[]
  /** Who requests the file, as an offset from the owner's index. */
  asks: number
  status: number
}

/** Requests files the browser has cached: measures the access check, not the transfer. */
async function measure(env: BenchEnv, people: Session[], { figure, files, asks, status }: Case): Promise<BenchRow> {
  const [url = ''] = env.nodes
  const { value, cost } = await metered(
    env,
    () =>
      sequence(samples, async (index) => {
        const { id, owner } = files[index % files.length] ?? { id: '', owner: 0 }
        const cookie = people[(owner + asks) % people.length]?.cookie ?? ''
        const headers = { cookie, 'if-none-match': `"${id}-${width}"` }
        const answer = await call('GET', `${url}/api/objects/${id}`, { headers })
        if (answer.status !== status) throw new Error(`${figure}: ${answer.status}`)
      }),
    () => samples,
  )
  return toRow({ figure, times: value, goal: 'p99 ≤ 15', note: `${thousands(size)} files, ${status}`, cost })
}

/** Controls: a request that does nothing, and a primary key lookup in PostgreSQL. */
async function controls(env: BenchEnv, files: Sample[]): Promise<BenchRow[]> {
  const [url = ''] = env.nodes
  const live = await sequence(samples, async () => void (await call('GET', `${url}/health/live`, { headers: {} })))
  const rows = await withDatabase(env.databaseUrl, (client) =>
    sequence(samples, async (index) => {
      await client.query('select * from objects where id = $1', [files[index % files.length]?.id])
    }),
  )
  return [
    toRow({ figure: 'control: /health/live', times: live, goal: '' }),
    toRow({ figure: 'control: a row by its key, PostgreSQL alone', times: rows, goal: '' }),
  ]
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const sessions = await openSessions(env.databaseUrl, dealers)
  const people = sessions.toSorted((a, b) => (a.dealerId < b.dealerId ? -1 : 1))
  await growTo(env.databaseUrl, people)
  const of = (kind: Kind) => pick(env.databaseUrl, kind, people)
  const [post, message, comment, draft] = [
    await of('post'),
    await of('message'),
    await of('comment'),
    await of('draft'),
  ]
  const missing = draft.map(({ owner }) => ({ id: '01990000-0000-7000-8000-000000000000', owner }))
  const cases: Case[] = [
    { figure: 'one’s own draft', files: draft, asks: 0, status: ok },
    { figure: 'a photo of another’s post', files: post, asks: 5, status: ok },
    { figure: 'a message’s file, as its receiver', files: message, asks: 1, status: ok },
    { figure: 'a comment’s file', files: comment, asks: 5, status: ok },
    { figure: 'a message of two others', files: message, asks: 5, status: 404 },
    { figure: 'another’s draft', files: draft, asks: 5, status: 404 },
    { figure: 'not there', files: missing, asks: 0, status: 404 },
  ]
  const rows: BenchRow[] = []
  for (const one of cases) rows.push(await measure(env, people, one))
  return [...rows, ...(await controls(env, draft))]
}
