import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import { type Answer, type Caller, startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { untilTaken } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const commentsOf = (postId: string) => `/api/inventory/${postId}/comments`
const textsOf = (comments: Comment[]) => comments.map(({ content }) => content)
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `No ${String(from + index).padStart(3, '0')}`)

async function read(reader: Caller, path: string) {
  const page: Answer<Comment[]> = await reader.get<Comment[]>(path)
  return {
    status: page.status,
    texts: textsOf(page.body),
    total: page.headers.get('x-total-count'),
    earlier: /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1],
  }
}

/** Adds 250 comments: groups of five share a microsecond, and groups of twenty share a millisecond, to test that pages skip none. */
async function withComments() {
  const { signIn, server } = app
  const [seller, reader] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const postId = await publish(seller)
  await sql`
    insert into comments (post_id, dealer_id, content, created_at)
    select ${postId}, ${seller.id}, 'No ' || to_char(n, 'FM000'),
      timestamptz '2026-01-01' + ((n - 1) / 5) * interval '250 microseconds'
    from generate_series(1, 250) n order by n`.execute(server.ctx.db)
  await sql`update posts set comment_count = 250 where id = ${postId}`.execute(server.ctx.db)
  return { seller, reader, postId, db: server.ctx.db }
}

t.test('pages comments from the newest back without gaps or repeats', async (t) => {
  const { reader, postId } = await withComments()
  const newest = await read(reader, commentsOf(postId))
  t.match(newest, { status: 200, texts: numbers(201, 250), total: '250' })
  const before = await read(reader, newest.earlier ?? '')
  t.match(before, { texts: numbers(151, 200), total: '250' }, 'the next page is as long')

  for (const limit of [1, 7, 50, 99, 100]) {
    const seen: string[] = []
    let path: string | undefined = `${commentsOf(postId)}?limit=${limit}`
    while (path !== undefined) {
      const page = await read(reader, path)
      if (page.earlier !== undefined) t.equal(page.texts.length, limit)
      seen.unshift(...page.texts)
      path = page.earlier
    }
    t.same(seen, numbers(1, 250), `${limit} at a time`)
  }
})

t.test('returns a post with its newest comments, their total and a link to earlier ones', async (t) => {
  const { seller, reader, postId } = await withComments()
  const post = async () => (await reader.get<PostDetail>(`/api/inventory/${postId}`)).body
  const { comments, commentCount, earlierComments } = await post()
  t.same(textsOf(comments), numbers(201, 250))
  t.equal(commentCount, 250)
  t.same((await read(reader, earlierComments ?? '')).texts, numbers(151, 200))

  await seller.post(commentsOf(postId), { content: 'No 251' })
  t.same((await read(reader, earlierComments ?? '')).texts, numbers(151, 200), 'new comments do not shift pages')
  const changed = (await seller.patch<PostDetail>(`/api/inventory/${postId}`, { title: 'Still there' })).body
  for (const now of [await post(), changed]) {
    t.same(textsOf(now.comments), numbers(202, 251))
    t.equal(now.commentCount, 251)
  }
})

t.test('returns no link on the last page', async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const postId = await publish(seller)
  t.match(await read(seller, commentsOf(postId)), { status: 200, texts: [], total: '0', earlier: undefined })
  for (const content of ['First', 'Second']) await seller.post(commentsOf(postId), { content })
  t.match(await read(seller, `${commentsOf(postId)}?limit=2`), { texts: ['First', 'Second'], earlier: undefined })
  const last = await read(seller, `${commentsOf(postId)}?limit=1`)
  t.same(last.texts, ['Second'])
  t.match(await read(seller, last.earlier ?? ''), { texts: ['First'], total: '2', earlier: undefined })
  t.match((await seller.get<PostDetail>(`/api/inventory/${postId}`)).body, { earlierComments: null })
})

t.test('stores a comment sent thirty times under one key once, with the same answer', async (t) => {
  const { signIn } = app
  const [seller, author, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor'), await signIn('Parkway')]
  const path = commentsOf(await publish(seller))
  const key = { 'idempotency-key': randomUUID() }
  const send = (by: Caller) => by.post<Comment>(path, { content: 'Both keys?' }, key)
  const answers = await Promise.all(Array.from({ length: 30 }, () => untilTaken(() => send(author))))
  t.same([...new Set(answers.map(({ status }) => status))], [201])
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  t.same(await send(author).then(({ body }) => body), answers[0]?.body, 'also later')
  t.match(await read(seller, path), { texts: ['Both keys?'], total: '1' })
  await send(other)
  t.match(await read(seller, path), { total: '2' }, 'the key of another dealer is another key')
  await author.post(path, { content: 'Both keys?' })
  t.match(await read(seller, path), { total: '3' }, 'without a key it is posted again')
})

t.test('refuses an invalid limit or a foreign cursor', async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const path = commentsOf(await publish(seller))
  const cursor = (value: unknown) => `before=${Buffer.from(JSON.stringify(value)).toString('base64url')}`
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=many',
    'before=',
    'before=nonsense',
    `before=${'x'.repeat(301)}`,
    cursor({ at: 'x; drop table comments', id: '01890a5d-ac96-774b-bcce-b302099a8057' }),
    cursor({ at: '2026-13-45', id: '01890a5d-ac96-774b-bcce-b302099a8057' }),
    cursor({ at: '2026-01-01', id: '1' }),
    cursor('01890a5d-ac96-774b-bcce-b302099a8057'),
  ]) {
    const { status, body } = await seller.get<ErrorBody>(`${path}?${query}`)
    t.equal(status, 400, query)
    t.ok(body.error.message)
  }
})

t.test('shows comments to viewers of the post, and a hidden one to its author only', async (t) => {
  const { signIn, visitor, server } = app
  const [seller, author, reader] = [await signIn('Webb Bros'), await signIn('Boyle Motor'), await signIn('Parkway')]
  const postId = await publish(seller)
  const path = commentsOf(postId)
  for (const content of ['First', 'Second', 'Third']) await author.post(path, { content })
  t.equal((await visitor.get(path)).status, 401)
  t.equal((await reader.get(commentsOf('01890a5d-ac96-774b-bcce-b302099a8057'))).status, 404)

  await sql`update comments set hidden_at = now() where content = 'Second'`.execute(server.ctx.db)
  const first = await read(reader, `${path}?limit=1`)
  t.same((await read(reader, first.earlier ?? '')).texts, ['First'], 'a page is full without it')
  t.same((await read(author, `${path}?limit=2`)).texts, ['Second', 'Third'])

  await sql`update posts set hidden_at = now() where id = ${postId}`.execute(server.ctx.db)
  t.equal((await reader.get(path)).status, 404)
  t.equal((await read(seller, path)).status, 200, 'its seller sees a hidden post')
  await sql`update posts set deleted_at = now() where id = ${postId}`.execute(server.ctx.db)
  t.equal((await seller.get(path)).status, 404)
})

t.test('reads a page of comments through the index', async (t) => {
  const { seller, reader, postId, db } = await withComments()
  const other = await publish(seller, { title: 'Much spoken of' })
  await sql`
    insert into comments (post_id, dealer_id, content)
    select ${other}, ${seller.id}, 'Other ' || n from generate_series(1, 5_000) n`.execute(db)
  await sql`analyze comments`.execute(db)
  const plan = async (before: string) => {
    const { rows } = await sql<{ 'QUERY PLAN': unknown }>`
      explain (analyze, format json)
      select comments.id from comments join dealers on dealers.id = comments.dealer_id
        left join objects on objects.id = comments.attachment_object
      where comments.post_id = ${postId} and (hidden_at is null or comments.dealer_id = ${reader.id})
        and (comments.created_at, comments.id) < (${before}::timestamptz, ${postId}::uuid)
      order by comments.created_at desc, comments.id desc limit 51`.execute(db)
    return JSON.stringify(rows)
  }
  for (const before of ['2027-01-01', '2026-01-01 00:00:00.006']) {
    const found = await plan(before)
    t.match(found, /"Index Name":"comments_post"/)
    t.notMatch(found, /"Node Type":"Sort"/)
  }
})
