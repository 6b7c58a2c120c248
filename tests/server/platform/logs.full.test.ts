import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { FailedJobs } from '#shared/schemas/ops.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { startNode } from '#tests/support/node-process.ts'
import { execute } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const planted = 'Stella asks 9,100 for the blue one'

/** Ways to make an insert fail, each with the text that the log must contain. */
const faults: [said: RegExp, change: string][] = [
  [/comments_planted_unique/, 'alter table comments add constraint comments_planted_unique unique (content)'],
  [/comments_planted_check/, `alter table comments add constraint comments_planted_check check (content !~ 'blue')`],
  [/null value in column \\?"planted/, 'alter table comments add column planted text not null'],
  [
    /invalid input syntax for type integer/,
    `create function planted() returns trigger language plpgsql as
     $$ begin perform new.content::int; return new; end $$`,
  ],
  [/no result/, `create function planted() returns trigger language plpgsql as $$ begin return null; end $$`],
]

const undo = `alter table comments drop constraint if exists comments_planted_unique,
  drop constraint if exists comments_planted_check, drop column if exists planted;
  drop function if exists planted cascade`

async function startOutside(t: Test) {
  const app = await startApp(t, { ROLES: 'api' })
  const node = await startNode(t, app.services, { ROLES: 'api,worker', LOG_LEVEL: 'trace' })
  const signIn = async (...about: Parameters<typeof app.signIn>) => app.on(node, await app.signIn(...about))
  return { app, node, signIn }
}

t.test('keeps row contents of a failed statement out of log and response', async (t) => {
  const { app, node, signIn } = await startOutside(t)
  const [seller, buyer] = [await signIn('Webb Bros'), await signIn('Herrera & Sons')]
  const path = `/api/inventory/${await publish(seller)}/comments`
  const { DATABASE_URL } = app.services
  for (const [said, change] of faults) {
    await buyer.post(path, { content: planted })
    await execute(undo, DATABASE_URL)
    await execute(`delete from comments`, DATABASE_URL)
    if (said.source.includes('unique')) await buyer.post(path, { content: planted })
    await execute(change, DATABASE_URL)
    if (change.startsWith('create function'))
      await execute(
        'create trigger planted before insert on comments for each row execute function planted()',
        DATABASE_URL,
      )
    const { status, body } = await buyer.post(path, { content: planted })
    t.ok(status >= 400, String(said))
    t.notMatch(JSON.stringify(body), planted)
    await until(String(said), () => said.test(node.readLog()))
  }
  t.notOk(node.readLog().includes(planted), 'the log')
})

t.test('keeps row contents of a failed job out of log, queue, outbox and screen', async (t) => {
  const { app, node, signIn } = await startOutside(t)
  const [seller, buyer] = [await signIn('Webb Bros'), await signIn('Herrera & Sons')]
  const ops = await signIn('Lanewire', { role: 'ops' })
  const said = /invalid input syntax for type integer: …/
  const { DATABASE_URL, REDIS_URL, REDIS_PREFIX } = app.services
  // PostgreSQL repeats the invalid value in its error message, so the log must not contain that message.
  await execute(
    `create function planted() returns trigger language plpgsql as
         $$ begin perform (new.title || new.body)::int; return new; end $$;
       create trigger planted before insert on notifications for each row execute function planted()`,
    DATABASE_URL,
  )
  const postId = await publish(seller)
  await buyer.post(`/api/inventory/${postId}/comments`, { content: planted })
  const redis = new Redis(REDIS_URL)
  const queue = new Queue('default', { connection: redis, prefix: `${REDIS_PREFIX}:bull` })
  t.teardown(async () => {
    await queue.close()
    redis.disconnect()
  })
  await until('the job to be given up', async () => {
    for (const job of await queue.getDelayed()) await job.promote().catch(() => undefined)
    return (await queue.getFailed())[0]
  })
  const [job] = await queue.getFailed()
  t.match(job?.failedReason, said)
  t.notOk(JSON.stringify(job).includes(planted))
  const { body } = await ops.get<FailedJobs>('/api/ops/jobs/failed')
  t.match(body.jobs[0], { error: said }, 'the terminal says what is wrong')
  const kept = await until('the outbox row', () =>
    app.server.ctx.db.selectFrom('outbox').select('lastError').where('lastError', 'is not', null).executeTakeFirst(),
  )
  for (const text of [JSON.stringify(body), JSON.stringify(kept), node.readLog()]) t.notOk(text.includes(planted))
  t.match(node.readLog(), said, 'the searched log is the written one')
})
