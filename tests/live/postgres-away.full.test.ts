import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { execute, testServices } from '#tests/support/services.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { until } from '#tests/support/wait.ts'

t.test('reports a changed database password as an unreachable database', async (t) => {
  const services = await testServices(t)
  const own = new URL(services.DATABASE_URL)
  const role = `r${randomBytes(6).toString('hex')}`
  await execute(`create role ${role} superuser login password 'before'`)
  t.teardown(() => execute(`drop role ${role}`))
  own.username = role
  own.password = 'before'
  const app = await startApp(t, {}, { ...services, DATABASE_URL: own.href })
  const dealer = await app.signIn()
  await execute(`alter role ${role} password 'after'`)
  await execute(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
  await until('the connections to end', async () => (await dealer.get('/api/inventory')).status !== 200)
  t.match(await dealer.get<ErrorBody>('/api/inventory'), { status: 503, body: { error: { code: 'unavailable' } } })
})

t.test('runs a job whose only attempt failed without PostgreSQL again once it is back', async (t) => {
  const services = await testServices(t)
  const postgres = await proxyTo(t, services.DATABASE_URL)
  const answer = new EventEmitter()
  let asked = 0
  const host = await startWebsite(t, async (_request, response) => {
    asked += 1
    if (asked === 1) await once(answer, 'now')
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'A clean truck.' } }] }))
  })
  const model = { AI_BASE_URL: `http://${host}/v1/`, AI_MODEL: 'small', AI_TIMEOUT_MS: '120000' }
  // Use a separate worker, so that this test can queue the job with a single attempt.
  const web = await startApp(t, { ROLES: 'api,rt' }, services)
  const seller = await web.signIn()
  const { queues, db } = web.server.ctx
  await queues.default.pause()
  const id = await publish(seller)
  const { id: jobId } = await db
    .selectFrom('outbox')
    .select('id')
    .where('name', '=', 'post.summarize')
    .executeTakeFirstOrThrow()
  await until('the job to be queued', async () => (await queues.default.getJob(jobId)) !== undefined)
  await queues.default.remove(jobId)
  await queues.default.add('post.summarize', { id: jobId }, { jobId, attempts: 1 })
  await startApp(t, { ...model, ROLES: 'worker' }, { ...services, DATABASE_URL: postgres.url })
  await queues.default.resume()
  await until('the request to the model', () => asked === 1)
  postgres.cut()
  answer.emit('now')
  await until('the attempt to end', async () => !(await (await queues.default.getJob(jobId))?.isActive()))
  postgres.heal()
  const summary = await until(
    'the AI summary',
    async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.aiSummary,
  )
  t.equal(summary, 'A clean truck.')
})

t.test('runs due jobs even if Redis lists them as failed', async (t) => {
  const app = await startApp(t)
  const seller = await app.signIn()
  const { queues, db } = app.server.ctx
  const { id: jobId } = await db
    .insertInto('outbox')
    .values({ kind: 'job', name: 'no.such', payload: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await until('the job to fail', async () => (await queues.default.getJob(jobId))?.isFailed())
  const id = await publish(seller)
  await until('the AI summary', async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.aiSummary)
  await db.updateTable('posts').set({ aiSummary: '[]' }).where('id', '=', id).execute()
  await db
    .updateTable('outbox')
    .set({ name: 'post.summarize', payload: JSON.stringify({ postId: id }), failedAt: null, dispatchedAt: null })
    .where('id', '=', jobId)
    .execute()
  await until('the summary', async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.aiSummary !== '[]')
})
