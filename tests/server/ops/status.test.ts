import { sql } from 'kysely'
import t from 'tap'
import { statusServiceKeys, type StatusReport } from '#shared/schemas/ops.ts'
import { unsubscribeLink } from '#server/features/site/newsletter.service.ts'
import { recordStatus } from '#server/features/ops/status/status.service.ts'
import { startApp, type TestApp } from '#tests/support/app.ts'
import { mailsOf, mailTo } from '#tests/support/mail.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t, { ROLES: 'api,rt' })
t.beforeEach(app.startOver)

/** Records a status sample. Stops the clock, so that a slow machine does not look like a slow service. */
async function sampleNow(ctx: TestApp['server']['ctx']): Promise<void> {
  const at = performance.now()
  const still = t.intercept(performance, 'now', { value: () => at })
  await recordStatus(ctx).finally(() => still.restore())
}

const findService = (report: StatusReport, key: string) => {
  const found = report.services.find((service) => service.key === key)
  if (found === undefined) throw new Error(`no service ${key}`)
  return found
}

/** Waits for a report that passes `check`, because the server caches this response for two seconds. */
async function freshReport({ visitor }: TestApp, check: (report: StatusReport) => boolean) {
  return until('a report with the new state', async () => {
    const { body } = await visitor.get<StatusReport>('/api/status')
    return check(body) ? body : undefined
  })
}

async function strandJob({ server }: TestApp): Promise<string> {
  const { id } = await server.ctx.db
    .insertInto('outbox')
    .values({
      kind: 'job',
      name: 'post.summarize',
      payload: JSON.stringify({ postId: '01890a5d-ac96-774b-bcce-b302099a8057' }),
      runAt: new Date(Date.now() - 3_600_000),
      dispatchedAt: new Date(Date.now() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

t.test('shows an unknown state and no uptime before the first sample', async (t) => {
  const { body } = await app.visitor.get<StatusReport>('/api/status')
  t.match(findService(body, 'database'), { state: 'unknown', uptime: null, checkedAt: null })
})

t.test('probes the five services and derives uptime and history', async (t) => {
  await sampleNow(app.server.ctx)
  await sampleNow(app.server.ctx)
  const report = await freshReport(app, ({ services }) => services[0]?.checkedAt !== null)
  t.same(
    report.services.map(({ key }) => key),
    statusServiceKeys,
  )
  for (const service of report.services) {
    t.match(service, { state: 'operational', uptime: 100 })
    t.equal(service.days.length, 30)
    // The last day has no sample yet if midnight UTC passed during the test.
    t.equal(service.days.findLast(({ uptime }) => uptime !== null)?.uptime, 100)
    t.equal(service.days[0]?.uptime, null)
  }
})

t.test('does not repeat an old failed report once its cause is fixed', async (t) => {
  const { visitor, server } = await startApp(t, { ROLES: 'api' })
  const { db } = server.ctx
  await sql`alter table service_states rename to away`.execute(db)
  t.equal((await visitor.get('/api/status')).status, 500)
  await sql`alter table away rename to service_states`.execute(db)
  t.equal((await visitor.get('/api/status')).status, 200)
})

t.test('shows degraded after one failed probe, down after two, and lowers the uptime', async (t) => {
  const states = async () => {
    await sampleNow(app.server.ctx)
    const row = await app.server.ctx.db
      .selectFrom('serviceStates')
      .select('state')
      .where('service', '=', 'ai')
      .executeTakeFirstOrThrow()
    return row.state
  }
  t.equal(await states(), 'operational')
  const jobId = await strandJob(app)
  t.equal(await states(), 'degraded')
  t.equal(await states(), 'down')
  const report = await freshReport(app, (found) => findService(found, 'ai').state === 'down')
  t.equal(findService(report, 'ai').uptime, 33.33)
  t.equal(findService(report, 'auth').state, 'operational')
  await app.server.ctx.db.deleteFrom('outbox').where('id', '=', jobId).execute()
  t.equal(await states(), 'operational')
})

t.test('shows degraded, not down, after a slow and a failed probe', async (t) => {
  const { db } = app.server.ctx
  const jobId = await strandJob(app)
  const stateAfter = async (minutes: number) => {
    const runAt = new Date(Date.now() - minutes * 60_000)
    await db.updateTable('outbox').set({ runAt }).where('id', '=', jobId).execute()
    await sampleNow(app.server.ctx)
    const { state } = await db
      .selectFrom('serviceStates')
      .select('state')
      .where('service', '=', 'ai')
      .executeTakeFirstOrThrow()
    return state
  }
  t.equal(await stateAfter(5), 'degraded', 'late')
  t.equal(await stateAfter(60), 'degraded', 'the first check that fails')
  t.equal(await stateAfter(5), 'degraded', 'late again')
  t.equal(await stateAfter(60), 'degraded')
  t.equal(await stateAfter(60), 'down', 'two in a row')
})

t.test('counts a database outage once the database is back', async (t) => {
  const services = await testServices(t)
  const postgres = await proxyTo(t, services.DATABASE_URL)
  const app = await startApp(t, { ROLES: 'api,rt' }, { ...services, DATABASE_URL: postgres.url })
  const { ctx } = app.server
  await sampleNow(ctx)
  postgres.cut()
  await t.rejects(sampleNow(ctx))
  await t.rejects(sampleNow(ctx))
  postgres.heal()
  // A run that takes longer than its interval overlaps with the next one.
  await Promise.all([recordStatus(ctx), recordStatus(ctx)])
  const days = await ctx.db.selectFrom('serviceDays').selectAll().where('service', '=', 'database').execute()
  t.equal(
    days.reduce((sum, { samples }) => sum + samples, 0),
    5,
  )
  t.equal(
    days.reduce((sum, { good }) => sum + good, 0),
    3,
  )
  await sampleNow(ctx)
  const later = await ctx.db.selectFrom('serviceDays').selectAll().where('service', '=', 'database').execute()
  t.equal(
    later.reduce((sum, { samples }) => sum + samples, 0),
    6,
    'a stored sample is not stored again',
  )
})

t.test('notifies subscribers once per outage and recovery until they unsubscribe', async (t) => {
  const app = await startApp(t)
  const { ctx } = app.server
  const { id } = await ctx.db
    .insertInto('listSubscribers')
    .values({ list: 'status', email: 'priya@lakefront.example', confirmedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db.insertInto('listSubscribers').values({ list: 'status', email: 'unconfirmed@dealer.example' }).execute()
  await ctx.db
    .insertInto('serviceStates')
    .values({ service: 'auth', state: 'down', checkedAt: new Date(), since: new Date() })
    .onConflict((conflict) => conflict.column('service').doUpdateSet({ state: 'down' }))
    .execute()
  await sampleNow(ctx)
  await sampleNow(ctx)
  await mailTo(app, 'priya@lakefront.example', /^Authentication is back up$/)
  t.equal((await mailsOf(app)).length, 1)
  const { pathname, search } = new URL(unsubscribeLink(ctx.config, 'status', id))
  const forged = await app.visitor.get(`${pathname}?id=${id}&key=forged`)
  t.equal(forged.headers.get('location'), '/status?list=expired&public')
  const left = await app.visitor.get(pathname + search)
  t.equal(left.headers.get('location'), '/status?list=status-left&public')
  const remaining = await ctx.db.selectFrom('listSubscribers').select('email').execute()
  t.same(remaining, [{ email: 'unconfirmed@dealer.example' }])
})
