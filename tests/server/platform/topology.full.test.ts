import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import t from 'tap'
import { loadConfig } from '#server/config/config.ts'
import { seedDemo } from '#server/db/seed/seed.ts'
import { startSharedStandin } from '#server/standins/stripe/shared-standin.ts'
import { startApp } from '#tests/support/app.ts'
import { freePort } from '#tests/support/balancer.ts'
import { startNode } from '#tests/support/node-process.ts'
import { program, testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

t.test("uses the server's readiness path in compose.yaml's balancer", async (t) => {
  const path = /option httpchk GET (\S+)/.exec(await readFile('compose.yaml', 'utf8'))?.[1]
  const { visitor } = await startApp(t)
  t.match(await visitor.get(path ?? ''), { status: 200, body: { status: 'ok' } })
})

t.test('seeds an empty database once if several processes start together', async (t) => {
  const { server } = await startApp(t)
  const { db } = server.ctx
  const storageDir = t.testdir()
  const seed = () => seedDemo({ db, storageDir, now: new Date() })
  await Promise.all([seed(), seed()])
  const { rows } = await sql`select count(*) as dealers,
    (select count(*) from deal_steps where at > now()) as future from dealers`.execute(db)
  t.match(rows, [{ dealers: 300, future: 0 }])
  t.ok((await readdir(storageDir)).length > 0, 'with photos')
})

t.test('names what a simulated payment provider lacks at startup', async (t) => {
  const env = { ...process.env, NODE_ENV: 'test', DEMO: 'on', DATABASE_URL: '', REDIS_URL: '' }
  const run = (more: Record<string, string>) =>
    t.rejects(
      promisify(execFile)(process.execPath, program('server/standins/stripe/main'), {
        env: { ...env, ...more },
      }),
      { code: 1, stderr: /^Configuration is not usable:\n(?:  - .+\n)+$/ },
    )
  await run({})
  await run({ DATABASE_URL: 'postgres://nobody@127.0.0.1/none', REDIS_URL: 'redis://127.0.0.1' })
})

t.test('shares one simulated payment provider among the processes of a demo', async (t) => {
  const services = await testServices(t)
  const port = await freePort()
  const standin = await startSharedStandin(
    loadConfig({
      ...services,
      PORT: '0',
      DATA_DIR: t.testdir(),
      STRIPE_STANDIN_WEBHOOK_URL: `http://127.0.0.1:${port}/api/webhooks/stripe`,
    }),
  )
  t.teardown(() => standin.close())
  const shared = { STRIPE_STANDIN_URL: standin.url }
  await startNode(t, services, { ...shared, PORT: String(port) })
  const worker = await startNode(t, services, { ...shared, ROLES: 'worker' })
  t.equal(worker.url, '', 'a worker is ready without an address')
  const app = await startApp(t, { ROLES: 'api' }, services)
  const dealer = await app.signIn('Pays for the demo')
  await app.server.ctx.transact((_tx, emit) => emit.job('billing.demoPlan', { dealerId: dealer.id }))
  const paid = await until('the plan that the stand-in told of', async () => {
    const found = await app.server.ctx.db
      .selectFrom('subscriptions')
      .select(['status', 'stripeId'])
      .where('dealerId', '=', dealer.id)
      .where('stripeId', 'is not', null)
      .where('status', '=', 'active')
      .executeTakeFirst()
    return found
  })
  t.match(paid, { status: 'active', stripeId: /^sub_/ })
})
