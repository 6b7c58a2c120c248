import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { startApp } from '#tests/support/app.ts'
import { freePort } from '#tests/support/balancer.ts'
import { publish } from '#tests/support/factories.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const skip = spawnSync('redis-server', ['--version']).error !== undefined && 'redis-server is not on the PATH'

async function aRedis(t: Test, folder: string, settings: string, ...args: string[]) {
  const port = await freePort()
  const file = join(folder, `${port}.conf`)
  await writeFile(file, `port ${port}\nbind 127.0.0.1\ndir ${folder}\nsave ""\n${settings}\n`)
  const child: ChildProcess = spawn('redis-server', [file, ...args], { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const end = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const client = new Redis(port, '127.0.0.1', { password: args.length === 0 ? secret : '', retryStrategy: () => 50 })
  client.on('error', () => undefined)
  t.teardown(async () => {
    client.disconnect()
    await end()
  })
  await until('Redis to answer', () => client.ping().catch(() => undefined))
  return { port, client, end }
}

const secret = 'a-secret-of-this-test'

t.test('uses the Redis that sentinels name and follows a failover', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-sentinel-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const auth = `requirepass ${secret}\nmasterauth ${secret}`
  const primary = await aRedis(t, folder, auth)
  const replica = await aRedis(t, folder, `${auth}\nreplicaof 127.0.0.1 ${primary.port}`)
  const sentinel = await aRedis(
    t,
    folder,
    `sentinel monitor lanes 127.0.0.1 ${primary.port} 1
sentinel auth-pass lanes ${secret}
sentinel down-after-milliseconds lanes 1000
sentinel failover-timeout lanes 10000`,
    '--sentinel',
  )
  const app = await startApp(
    t,
    {
      // Use an invalid host, because only the sentinels know where Redis is.
      REDIS_URL: `redis://:${secret}@redis.invalid`,
      REDIS_SENTINELS: `127.0.0.1:${sentinel.port}`,
      REDIS_SENTINEL_NAME: 'lanes',
    },
    { ...(await testServices(t)), REDIS_URL: `redis://:${secret}@redis.invalid` },
  )
  const { redis, queues } = app.server.ctx
  t.ok(redis.healthy())
  const seller = await app.signIn()
  await publish(seller)
  t.ok(Number(await primary.client.dbsize()) > 0, 'stored data is there')
  await until(
    'the sentinel to know the replica',
    async () => ((await sentinel.client.call('sentinel', 'replicas', 'lanes')) as unknown[]).length > 0,
  )
  await primary.end()
  await until('the other one to be the primary', async () =>
    (await replica.client.info('replication')).includes('role:master'),
  )
  await until('the server to be there', () => redis.healthy())
  await publish(seller)
  // The queue has its own connection, which may reconnect a moment later.
  const completed = () => queues.default.getCompletedCount().catch(() => 0)
  await until('a job to be done there', async () => (await completed()) > 0)
})
