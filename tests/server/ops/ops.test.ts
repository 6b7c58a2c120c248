import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { FailedJob, FailedJobs, OpsFigures, OpsOverview, SystemHealth } from '#shared/schemas/ops.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { checkQueues } from '#server/features/ops/ops-alarms.service.ts'
import { systemHealth } from '#server/features/ops/ops.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { mailNow, mailsOf, mailTo } from '#tests/support/mail.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

t.test('limits queue screens and calls to ops and admins', async (t) => {
  const { visitor, signIn } = app
  const [dealer, ops, admin] = [
    await signIn(),
    await signIn('L', { role: 'ops' }),
    await signIn('L', { role: 'admin' }),
  ]
  const calls = [
    ['get', '/api/ops/health'],
    ['get', '/api/ops/queues'],
    ['get', '/api/ops/jobs/failed'],
    ['post', '/api/ops/jobs/retry'],
    ['post', '/api/ops/jobs/retry-all'],
    ['post', '/api/ops/jobs/discard'],
    ['post', '/api/ops/queues/mail/pause'],
    ['post', '/api/ops/queues/mail/resume'],
    ['get', '/admin/queues/board'],
  ] as const
  const body = { jobs: [{ queue: 'mail', id: 'none' }] }
  for (const [method, path] of calls) {
    t.equal((await visitor[method](path, body)).status, 401, `${method} ${path} as a visitor`)
    t.equal((await dealer[method](path, body)).status, 403, `${method} ${path} as a dealer`)
    for (const staff of [ops, admin]) t.ok((await staff[method](path, body)).status < 300, `${method} ${path} as staff`)
  }
})

t.test('pushes figures only to staff who watch', async (t) => {
  const { signIn } = app
  const [dealer, ops] = [await signIn(), await signIn('L', { role: 'ops' })]
  const [theirs, ours] = [await dealer.live(), await ops.live()]
  t.match(await theirs.view({ kind: 'ops', id: '', on: true }), { ok: false })
  t.match(await ours.view({ kind: 'ops', id: '', on: true }), { ok: true })
  const figures = await ours.nextEvent(
    'ops.queues',
    (event: OpsFigures) => event.nodes.length > 0 && event.queues.length > 0,
  )
  t.match(
    figures.queues.find(({ name }) => name === 'mail'),
    { waiting: 0, failed: 0, paused: false, state: 'healthy' },
  )
  t.match(figures.nodes[0], { silent: false, roles: 'api, rt, worker' })
  t.same(await theirs.receivedAfterRoundTrip('ops.queues'), [])
})

t.test('fails a poison job alone, shows its error, retries and discards it', async (t) => {
  const { signIn, server } = app
  const ops = await signIn('L', { role: 'ops' })
  // A job with an unknown name, as from another release. The worker fails it permanently at the first attempt.
  const row = await server.ctx.db
    .insertInto('outbox')
    .values({ kind: 'job', name: 'no.such', payload: JSON.stringify({ postId: '7' }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const failed = async () => (await ops.get<FailedJobs>('/api/ops/jobs/failed?queue=default')).body
  await until('the failure', async () => (await failed()).total === 1)
  t.match((await failed()).jobs[0], {
    id: row.id,
    queue: 'default',
    name: 'no.such',
    error: /no handler/,
    payload: { postId: '7' },
  })
  const invite = {
    name: 'New Dealer',
    email: 'new@dealer.example',
    dealershipName: '',
    dealershipType: 'franchise',
    role: 'dealer',
  }
  const admin = await signIn('L', { role: 'admin' })
  await admin.post('/api/admin/users', invite)
  await until('the mail behind it', async () =>
    (await server.ctx.mailer.listStored()).some((mail) => mail.to === invite.email),
  )
  const jobs = [{ queue: 'default', id: row.id }]
  t.same((await ops.post('/api/ops/jobs/retry', { jobs })).body, { count: 1 })
  await until('the second failure', async () => (await failed()).total === 1)
  t.same((await ops.post('/api/ops/jobs/discard', { jobs })).body, { count: 1 })
  t.equal((await failed()).total, 0)
  const left = await server.ctx.db.selectFrom('outbox').select('id').where('id', '=', row.id).execute()
  t.same(left, [], 'its outbox row is deleted, too')
  const audit = await admin.get<AuditPage>('/api/admin/audit?action=job')
  t.same(
    audit.body.entries.map((entry) => entry.action),
    ['job.discard', 'job.retry'],
  )
})

t.test('hides the recipient of a failed email from staff', async (t) => {
  const { signIn, server } = app
  const ops = await signIn('L', { role: 'ops' })
  const payload = { to: 'dana@mail.example', what: 'password.changed' }
  const failure = { failedAt: new Date(), lastError: 'refused' }
  await server.ctx.db
    .insertInto('outbox')
    .values({ kind: 'job', name: 'mail.accessChanged', payload: JSON.stringify(payload), ...failure })
    .execute()
  await server.ctx.outbox.showFailed()
  const failed = async () => (await ops.get<FailedJobs>('/api/ops/jobs/failed?queue=mail')).body
  const job = await until('the failure', async () => (await failed()).jobs[0])
  t.same(job.payload, { to: 'hidden', what: 'password.changed' })
  t.notMatch(JSON.stringify(await failed()), /dana@/)
  await ops.post('/api/ops/jobs/discard', { jobs: [{ queue: job.queue, id: job.id }] })
})

t.test('keeps a failed job for a retry after Redis lost everything', async (t) => {
  const app = await startApp(t)
  const { db, queues } = app.server.ctx
  // Pause the schedule, because it also publishes failed jobs.
  await queues.schedule.pause()
  await until('none of it to be under way', async () => (await queues.schedule.getActiveCount()) === 0)
  const ops = await app.signIn('L', { role: 'ops' })
  const job = { kind: 'job' as const, name: 'no.such', payload: JSON.stringify({ postId: '7' }) }
  const row = await db.insertInto('outbox').values(job).returning(['id', 'createdAt']).executeTakeFirstOrThrow()
  const failed = async () => (await ops.get<FailedJobs>('/api/ops/jobs/failed')).body
  const first = await until('the failure', async () => (await failed()).jobs[0])
  t.match(first, { id: row.id, attempts: 1, createdAt: row.createdAt.toISOString() })
  const restarted = async (from: FailedJob) => {
    const own = db.selectFrom('outbox').select('failedAt').where('id', '=', row.id)
    const { failedAt } = await own.executeTakeFirstOrThrow()
    t.equal(from.failedAt, failedAt?.toISOString())
    await queues.default.obliterate({ force: true })
    t.same(await failed(), { jobs: [], total: 0 })
    await app.server.ctx.outbox.showFailed()
    await app.server.ctx.outbox.showFailed()
    return until('it to be shown again', async () => (await failed()).jobs[0])
  }
  const again = await restarted(first)
  t.same(again, { ...first, attempts: null }, 'unchanged except for data that only Redis had')
  const jobs = [{ queue: 'default', id: row.id }]
  t.same((await ops.post('/api/ops/jobs/retry', { jobs })).body, { count: 1 })
  const retried = await until('the next failure', async () => (await failed()).jobs.find(({ attempts }) => attempts))
  t.match(retried, { attempts: 1, error: /no handler/ })
  t.not(retried.failedAt, first.failedAt)
  await restarted(retried)
  t.same((await ops.post('/api/ops/jobs/discard', { jobs })).body, { count: 1 })
  await app.server.ctx.outbox.showFailed()
  t.same(await failed(), { jobs: [], total: 0 })
})

t.test('alerts staff once per failing queue until it recovers, in any number of processes', async (t) => {
  const { signIn, server } = app
  const { db } = server.ctx
  const second = await startApp(t, { ROLES: 'worker' }, app.services)
  const look = () => Promise.all([server, second.server, server].map(({ ctx }) => checkQueues(ctx)))
  const [dealer, ops, admin, left] = [
    await signIn(),
    await signIn('L', { role: 'ops' }),
    await signIn('L', { role: 'admin' }),
    await signIn('L', { role: 'ops' }),
  ]
  await db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', left.id).execute()
  const tab = await ops.live()
  const noticesOf = async (caller: Caller) => (await caller.get<NotificationsPage>('/api/notifications')).body.items
  const fail = async () => {
    const job = { kind: 'job' as const, name: 'no.such', payload: '{}' }
    const { id } = await db.insertInto('outbox').values(job).returning('id').executeTakeFirstOrThrow()
    await until('the failure', async () => (await server.ctx.queues.default.getJobState(id)) === 'failed')
    return { queue: 'default', id }
  }
  await look()
  t.same(await noticesOf(ops), [], 'all of them are well')
  const jobs = [await fail()]
  await look()
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'notification')
  jobs.push(await fail())
  await look()
  const notice = { kind: 'queues', title: 'The default queue is failing', path: '/admin/queues', push: true }
  for (const staff of [ops, admin]) t.match(await noticesOf(staff), [notice])
  t.match((await noticesOf(ops))[0]?.body, /^\d jobs? ha(s|ve) used up all attempts/)
  const rows = db.selectFrom('notifications').select('dealerId')
  t.same((await rows.where('dealerId', 'in', [dealer.id, left.id]).execute()).length, 0, 'and nobody else')
  await mailNow(app)
  const { email } = await db.selectFrom('dealers').select('email').where('id', '=', ops.id).executeTakeFirstOrThrow()
  t.match((await mailTo(app, email)).text, '/admin/queues')
  await ops.post('/api/ops/jobs/discard', { jobs })
  await look()
  jobs.splice(0, 2, await fail())
  await look()
  await ops.post('/api/ops/jobs/discard', { jobs })
  await look()
  t.equal((await noticesOf(ops)).length, 2, 'it failed again')
  const subjects = (await mailsOf(app)).filter(({ to }) => to === email).map(({ subject }) => subject)
  t.same(subjects, [notice.title], 'each failure has its own email')
})

t.test('keeps jobs of a paused queue until it is resumed, and shows the pause', async (t) => {
  const { signIn, server } = app
  const admin = await signIn('L', { role: 'admin' })
  t.equal((await admin.post('/api/ops/queues/mail/pause')).status, 204)
  t.equal((await admin.post('/api/ops/queues/nonsense/pause')).status, 404)
  const invite = {
    name: 'New Dealer',
    email: 'waits@dealer.example',
    dealershipName: '',
    dealershipType: 'franchise',
    role: 'dealer',
  }
  await admin.post('/api/admin/users', invite)
  const mail = async () =>
    (await admin.get<OpsOverview>('/api/ops/queues?range=15m')).body.figures.queues.find(({ name }) => name === 'mail')
  await until('the waiting job', async () => (await mail())?.waiting === 1)
  t.match(await mail(), { state: 'paused', paused: true })
  t.notOk((await server.ctx.mailer.listStored()).some(({ to }) => to === invite.email))
  await admin.post('/api/ops/queues/mail/resume')
  const { entries } = (await admin.get<AuditPage>('/api/admin/audit?action=queue')).body
  t.match(entries, [
    { action: 'queue.resume', subjectId: 'mail', before: { paused: true }, after: { paused: false } },
    { action: 'queue.pause', subjectId: 'mail', before: { paused: false }, after: { paused: true } },
  ])
  await until('the mail', async () => (await server.ctx.mailer.listStored()).some(({ to }) => to === invite.email))
})

t.test('detects a missing worker', async (t) => {
  const web = await startApp(t, { ROLES: 'api,rt' })
  const ops = await web.signIn('L', { role: 'ops' })
  const { body } = await ops.get<OpsOverview>('/api/ops/queues')
  t.equal(body.figures.queues.find(({ name }) => name === 'mail')?.state, 'no_workers')
  const health = await ops.get<SystemHealth>('/api/ops/health')
  t.match(
    health.body.parts.find(({ name }) => name === 'Workers'),
    { ok: false },
  )
})

t.test("keeps an idle queue's past throughput at its time", async (t) => {
  const { signIn, server } = app
  const ops = await signIn('L', { role: 'ops' })
  const queue = server.ctx.queues.mail
  const redis = server.ctx.redis.commands
  const key = queue.toKey('metrics:completed')
  /** Simulates 40 jobs in the minute of the last job, and 7 in each of the three minutes before. */
  const lastJob = async (minutesAgo: number) => {
    await redis.del(`${key}:data`)
    await redis.rpush(`${key}:data`, 7, 7, 7)
    await redis.hset(key, { count: 61, prevCount: 21, prevTS: Date.now() - minutesAgo * 60_000 })
  }
  const look = async (range: string) => {
    const { figures, throughput } = (await ops.get<OpsOverview>(`/api/ops/queues?range=${range}`)).body
    const sum = throughput['mail']?.reduce((total, count) => total + count, 0)
    return { perMinute: figures.queues.find(({ name }) => name === 'mail')?.perMinute, sum }
  }
  // Emails of earlier tests failed, perhaps in the minute that has just ended.
  await redis.del(queue.toKey('metrics:failed'), queue.toKey('metrics:failed:data'))
  await lastJob(120)
  t.same(await look('1h'), { perMinute: 0, sum: 0 }, 'nothing in the last hour')
  t.same(await look('24h'), { perMinute: 0, sum: 61 })
  await lastJob(10)
  t.same(await look('1h'), { perMinute: 0, sum: 61 }, 'the last minute that had jobs counts as well')
})

t.test('does not report queues as healthy without Redis', async (t) => {
  const { ctx } = app.server
  const away = Object.values(ctx.queues).map((queue) =>
    t.intercept(queue, 'getJobCounts', { value: async () => Promise.reject(new Error('Connection is closed.')) }),
  )
  t.ok(away.length > 0)
  const { ok, parts } = await systemHealth(ctx)
  t.equal(ok, false)
  t.same(
    parts.find(({ name }) => name === 'Queues'),
    { name: 'Queues', ok: false, detail: 'unknown: Redis is not responding' },
  )
})

t.test('exports metrics of queues, response times and everything the runbook alerts on', async (t) => {
  const { visitor, server } = await startApp(t, {
    METRICS_TOKEN: 'a-token-of-sixteen',
    ROLES: 'api',
    BACKUP_HOUR_UTC: '3',
  })
  const late = { kind: 'job' as const, name: 'mail.reset', payload: '{}', runAt: new Date(Date.now() - 60_000) }
  await server.ctx.db.insertInto('outbox').values(late).execute()
  const { body, status } = await visitor.get<string>('/metrics', undefined, {
    authorization: 'Bearer a-token-of-sixteen',
  })
  t.equal(status, 200)
  t.match(body, /lanewire_queue_jobs\{queue="mail",state="waiting"\} 0/)
  t.match(body, /lanewire_outbox_due 1\n/)
  t.match(body, /lanewire_outbox_oldest_seconds 6\d/)
  const alarms = (await readFile('docs/operations.md', 'utf8')).match(/^Alarm on:(?:.+\n)+/m)?.[0] ?? ''
  const names = [...alarms.matchAll(/`((?:lanewire|nodejs)_\w+)/g)].map(([, name = '']) => name)
  t.ok(names.length > 2)
  for (const name of names) t.match(body, new RegExp(`^${name}[ {]`, 'm'), name)
})
