import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { startApp, type Answer, type Caller } from '#tests/support/app.ts'
import { aBidder, bid, publishAuction } from '#tests/support/bidding.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const neighbors = 50
const app = await startApp(t)

async function connect(t: Test): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.services.DATABASE_URL })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

interface Subjects {
  lock: string
  held: string
  others: string[]
  write: (id: string, key?: ReturnType<typeof randomUUID>) => Promise<Answer>
}

/** Checks that writes to other rows succeed while writes to a locked row wait. */
async function checkNeighbors(t: Test, { lock, held, others, write }: Subjects): Promise<void> {
  const holder = await connect(t)
  await holder.query('begin')
  await holder.query(lock, [held])
  const key = randomUUID()
  const half = others.length / 2
  // Send the blocked writes between the others, so that they share a batch.
  const early = others.slice(0, half).map((id) => write(id))
  const waiting = [write(held, key), ...Array.from({ length: 5 }, () => write(held))]
  const beside = await Promise.all([...early, ...others.slice(half).map((id) => write(id))])
  t.same(
    beside.filter(({ status }) => status !== 201),
    [],
    'other calls succeed meanwhile',
  )
  for (const { status, headers } of await Promise.all(waiting)) {
    t.equal(status, 503, 'calls about the locked row get 503 with Retry-After')
    t.ok(Number(headers.get('retry-after')) > 0)
  }
  await holder.query('rollback')
  t.equal((await write(held, key)).status, 201)
}

t.test('delays only the chat whose row is locked and asks its writers to retry', async (t) => {
  const dana = await app.signIn('Torres')
  const ids: string[] = []
  for (let index = 0; index <= neighbors; index++) ids.push(await openChat(dana, await app.signIn(`Dealer ${index}`)))
  const [held = '', ...others] = ids
  await checkNeighbors(t, {
    lock: 'select from chats where id = $1 for update',
    held,
    others,
    write: (id, key) => say(dana, id, 'Still there?', key),
  })
})

t.test('delays only the auction whose row is locked and asks its bidders to retry', async (t) => {
  const seller = await app.signIn('Seller')
  const buyer: Caller = await aBidder(app, 'Buyer')
  const ids: string[] = []
  for (let index = 0; index <= neighbors; index++) ids.push(await publishAuction(seller))
  const [held = '', ...others] = ids
  await checkNeighbors(t, {
    lock: 'select from auctions where post_id = $1 for update',
    held,
    others,
    write: (id, key) => bid(buyer, id, 10_000, key),
  })
})

t.test('asks a call that waits too long for a row to retry', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const postId = await publish(seller)
  const hurried = new URL(app.services.DATABASE_URL)
  hurried.searchParams.set('statement_timeout', '1000')
  const node = await startApp(t, { ROLES: 'api,rt' }, { ...app.services, DATABASE_URL: hurried.href })
  const holder = await connect(t)
  await holder.query('begin')
  await holder.query('select from posts where id = $1 for update', [postId])
  const like = () => app.on(node, buyer).put<ErrorBody>(`/api/inventory/${postId}/reactions/like`)
  const { status, headers, body } = await like()
  t.match({ status, code: body.error.code }, { status: 503, code: 'unavailable' })
  t.ok(Number(headers.get('retry-after')) > 0)
  await holder.query('rollback')
  await until('it to be taken', async () => (await like()).status === 204)
})
