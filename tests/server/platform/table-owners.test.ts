import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { tableOwners, type Tables } from '#server/db/table-owners.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp, type Answer, type Caller, type TestApp } from '#tests/support/app.ts'
import { aBidder, bid, close, publishAuction } from '#tests/support/bidding.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import {
  accessesInSource,
  accessesOf,
  readFunctions,
  recordStatements,
  type Access,
} from '#tests/support/statements.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

interface Rule {
  owner: string
  access: keyof Tables
}

const rules = new Map<string, Rule>()
for (const [owner, tables] of Object.entries(tableOwners))
  for (const access of ['own', 'readable', 'appendable'] as const)
    for (const name of tables[access] ?? []) rules.set(toSnake(name), { owner, access })

/** Each entry names a feature and a table of another feature whose rows it may update. */
const touched = new Set(
  Object.entries(tableOwners).flatMap(([feature, { touches = [] }]) =>
    touches.map((name) => `${feature} ${toSnake(name)}`),
  ),
)

/** Returns `posts` for `features/posts/posts.service.ts`, and `platform` for `platform/session/session.ts`. */
const ownerOf = (file: string) => /^(?:features\/)?([\w-]+)/.exec(file)?.[1]

const writes = /\.(repository\.ts|sql)$/
/** Files that may contain queries. In the platform, any file may, because the platform has no services. */
const asks = /\.(repository\.ts|rows\.ts|sql)$|-(sql|tables)\.ts$|^platform\//

function faultOf(file: string, { how, table }: Access): string | undefined {
  const rule = rules.get(table)
  if (rule === undefined) return undefined
  const feature = ownerOf(file)
  const isOwn = rule.owner === feature || (how === 'update' && touched.has(`${feature} ${table}`))
  const said = `${file}: ${how} ${table}, which is of ${rule.owner}`
  const may =
    how === 'read' ? isOwn || rule.access !== 'own' : isOwn || (how === 'insert' && rule.access === 'appendable')
  if (!may) return said
  return (how === 'read' ? asks : writes).test(file) ? undefined : `${said}, outside of a repository`
}

const faultsOf = (accesses: { file: string; access: Access }[]) => [
  ...new Set(accesses.flatMap(({ file, access }) => faultOf(file, access) ?? [])),
]

t.test('gives every table one owner', async (t) => {
  const { server } = await startApp(t, { ROLES: 'api' })
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' order by 1`.execute(server.ctx.db)
  t.same([...rules.keys()].toSorted(), rows.map(({ name }) => name).toSorted())
  const listed = Object.values(tableOwners).flatMap(({ own = [], readable = [], appendable = [] }) => [
    ...own,
    ...readable,
    ...appendable,
  ])
  t.equal(new Set(listed).size, listed.length, 'and no second owner')
})

t.test('names in repositories no table another feature writes', async (t) => {
  const files = (await readdir('server', { recursive: true }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^(features|platform|realtime)\/.+\.(ts|sql)$/.test(file))
  const accesses = await Promise.all(
    files.map(async (file) =>
      accessesInSource(await readFile(join('server', file), 'utf8')).map((access) => ({ file, access })),
    ),
  )
  t.same(faultsOf(accesses.flat()), [])
  const written = accesses.flat().filter(({ access }) => access.how !== 'read' && rules.has(access.table))
  t.same(
    [...rules.keys()].filter((table) => !written.some(({ access }) => access.table === table)),
    [],
    'and each has a writer',
  )
})

const done = async (asked: Promise<Answer>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`refused: ${status} ${JSON.stringify(body)}`)
}

/** Signs a dealer up, uses the account's features, and has an admin delete the account. */
async function comeAndGo(app: TestApp, admin: Caller, other: Caller): Promise<void> {
  const email = 'comes@test.example'
  await done(app.visitor.post('/api/auth/signup', { email, password: 'a long and rare one' }))
  await done(app.visitor.post('/api/auth/create-dummy', {}))
  const dealer = await app.signIn('Comes and Goes', { plan: 'enterprise' })
  await done(dealer.patch('/api/profile', { description: 'Trucks', phone: '555 0100' }))
  await done(dealer.patch('/api/settings', { theme: 'dark' }))
  await done(dealer.post('/api/api-keys', { name: 'Stock', scope: 'read' }))
  await done(dealer.post('/api/saved-searches', { search: 'camry', sort: 'recent' }))
  await done(dealer.post(`/api/dealers/${other.id}/connect`))
  await done(dealer.get(`/api/dealers/${other.id}`))
  await publish(dealer)
  await done(admin.patch(`/api/admin/users/${dealer.id}`, { city: 'Austin' }))
  await done(admin.post(`/api/admin/users/${dealer.id}/suspend`, { reason: 'Asked to pause', until: null }))
  await done(admin.post(`/api/admin/users/${dealer.id}/reinstate`, { reason: 'Back again' }))
  await done(admin.post(`/api/admin/users/${dealer.id}/api-access`, { granted: true }))
  await done(admin.get('/api/admin/overview'))
  await done(admin.delete(`/api/admin/users/${dealer.id}`, { reason: 'Wants to go' }))
}

async function trade(seller: Caller, buyer: Caller, admin: Caller): Promise<void> {
  const postId = await publish(seller)
  await done(buyer.put(`/api/inventory/${postId}/reactions/like`))
  await done(buyer.put(`/api/inventory/${postId}/watch`))
  await done(buyer.post(`/api/inventory/${postId}/comments`, { content: 'Still there?' }))
  await done(buyer.post('/api/reports', { kind: 'post', subjectId: postId, reason: 'misleading' }))
  const { body: post } = await buyer.get<PostDetail>(`/api/inventory/${postId}`)
  const vehicleId = post.vehicles[0]?.id
  const { body: offer } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  const { body: accepted } = await acceptOffer(seller, offer.id)
  const deal = `/api/deal/${accepted.dealId}`
  await done(buyer.put(`${deal}/submission`))
  await done(admin.post(`/api/admin/deals/${accepted.dealId}/approve`, { reason: 'Looks right' }))
  await done(seller.post(`${deal}/approve`))
  for (const [party, name] of [
    [seller, 'Sam Seller'],
    [buyer, 'Bea Buyer'],
  ] as const)
    await done(party.post(`${deal}/documents/odometer/signature`, { name }))
  await done(buyer.post(`${deal}/complete`, {}))
  await done(buyer.post(`${deal}/reviews`, { rating: 5, content: 'As described' }))
}

t.test('writes each table through its owner on a running server', async (t) => {
  const statements = recordStatements(t)
  const app = await startApp(t)
  const [seller, buyer, admin] = [
    await app.signIn('Seller Motors'),
    await aBidder(app, 'Buyer Cars'),
    await app.signIn('Lanewire', { role: 'admin' }),
  ]
  await comeAndGo(app, admin, seller)
  await trade(seller, buyer, admin)
  const postId = await publishAuction(seller)
  await bid(buyer, postId, 10_000)
  await close(app, seller, postId)
  await say(buyer, await openChat(buyer, seller), 'When can I pick it up?')
  await done(buyer.post(`/api/chats/${buyer.id}/generate`, {}))
  await done(app.visitor.post('/api/contact', { name: 'Vic', email: 'vic@test.example', message: 'Hello' }))
  await app.server.stop('all is written')

  const functions = await readFunctions()
  const accesses = statements.flatMap(({ sql: text, file }) => {
    if (file === undefined || file.startsWith('db/')) return []
    const called = [...functions].flatMap(([name, body]) => (text.includes(`${name}(`) ? accessesInSource(body) : []))
    return [...accessesOf(text), ...called].map((access) => ({ file, access }))
  })
  t.same(faultsOf(accesses), [])
  const written = new Set(accesses.flatMap(({ access: { how, table } }) => (how === 'read' ? [] : table)))
  t.ok(written.size > 30, 'and it wrote most of them')
})
