import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t from 'tap'
import { program, testServices } from '#tests/support/services.ts'

t.test('exits at once and says so if told to stop while waiting for the database', async (t) => {
  const services = await testServices(t)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const silent = createServer().listen(0, '127.0.0.1')
    const asked = once(silent, 'connection') as Promise<[Socket]>
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const child = spawn(process.execPath, program('server/main'), {
      env: { ...process.env, ...services, NODE_ENV: 'test', DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    let said = ''
    child.stdout.on('data', (part: Buffer) => (said += part.toString()))
    const closed = once(child, 'close')
    const [connection] = await asked
    child.kill(signal)
    t.same(await closed, [0, null], signal)
    t.equal(said, `Received ${signal} before Lanewire was ready. It does not start\n`)
    connection.destroy()
    silent.close()
  }
})
