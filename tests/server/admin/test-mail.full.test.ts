import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { TestMail } from '#shared/schemas/admin.ts'
import { tryMail } from '#server/features/admin/test-mail.service.ts'
import { loadConfig } from '#server/config/config.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { freePort } from '#tests/support/balancer.ts'
import { startNode } from '#tests/support/node-process.ts'
import { until } from '#tests/support/wait.ts'

const path = '/api/admin/test-mail'
const tried = async (admin: Caller) => (await admin.post<TestMail>(path)).body

async function aServer(t: Test, serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => serve(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function refuseEverybody(socket: Socket): void {
  socket.write('220 mail.test\r\n')
  socket.on('data', (line) =>
    socket.write(/^EHLO/i.test(line.toString()) ? '250-mail.test\r\n250 AUTH PLAIN\r\n' : '535 Wrong password\r\n'),
  )
}

t.test('describes each mistyped SMTP_URL in one sentence on screen, in the command and in the log', async (t) => {
  const away = `127.0.0.1:${await freePort()}`
  const silent = await aServer(t, (socket) => socket.end())
  const plain = await aServer(t, (socket) => socket.end('220 mail.test\r\n'))
  const strict = await aServer(t, refuseEverybody)
  const cases: [url: string, sentence: RegExp][] = [
    [`smtp://${away}`, new RegExp(`^Nothing responds at ${away}, the mail server in SMTP_URL$`)],
    ['smtp://mail.invalid', /^No address was found for mail\.invalid, the mail server in SMTP_URL$/],
    [`smtps://${plain}`, new RegExp(`^The mail server at ${plain} does not start with TLS\\. Use smtp://.+$`)],
    [`smtp://${silent}`, new RegExp(`^The mail server at ${silent} does not respond\\. .+smtps:// in SMTP_URL$`)],
    [
      `smtp://me:secret-word@${strict}`,
      new RegExp(`^The mail server at ${strict} rejects the user name or the password`),
    ],
  ]
  const app = await startApp(t, { ROLES: 'api,rt' })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  for (const [SMTP_URL, sentence] of cases) {
    const config = loadConfig({ NODE_ENV: 'test', DEMO: 'on', ...app.services, SMTP_URL })
    const fault = await tryMail(config, 'me@lane.example').catch((error: unknown) => error)
    t.match(fault, { message: sentence }, SMTP_URL)
    t.notMatch((fault as Error).message, /secret-word|\n/)
  }
  const wrong = { SMTP_URL: `smtp://${away}`, ROLES: 'api,rt,worker', LOG_LEVEL: 'error' }
  const node = await startNode(t, app.services, wrong)
  t.match(await tried(app.on(node, admin)), { error: `Nothing responds at ${away}, the mail server in SMTP_URL` })
  await until('the log line', () => node.readLog().includes(`Nothing responds at ${away}`))
  await t.rejects(tryMail(loadConfig({ NODE_ENV: 'test', ...app.services }), 'nobody'), /is not an email address/)
})
