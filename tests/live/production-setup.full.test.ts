import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t from 'tap'
import { freePort } from '#tests/support/balancer.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { productionCommands } from '#tests/support/production-commands.ts'
import { emptyDatabase, testEnvironment } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

// The test installs packages and builds everything, possibly on a busy machine.
const withinMs = 15 * 60_000
t.setTimeout(withinMs + 60_000)

const notSources = new Set(['.git', '.data', '.tap', 'dist', 'node_modules'])

function withValues(commands: string, values: Record<string, string>): string {
  const left = new Set(Object.keys(values))
  const lines = commands.split('\n').map((line) => {
    const [, name = ''] = /^export (\w+)=/.exec(line) ?? []
    return left.delete(name) ? `export ${name}='${values[name]}'` : line
  })
  t.same([...left], [], 'docs/operations.md sets every variable')
  return lines.join('\n')
}

t.test('starts a working server from the commands of "Set up production" on an empty machine', async (t) => {
  const [mail, DATABASE_URL] = [await startMailServer(t), await emptyDatabase(t)]
  const [port, METRICS_PORT] = [await freePort(), String(await freePort())]
  const origin = `http://127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-setup-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await cp('.', folder, { recursive: true, filter: (path) => !notSources.has(basename(path)) })
  const commands = withValues(productionCommands(), {
    PUBLIC_URL: origin,
    DATABASE_URL,
    REDIS_URL: testEnvironment('TEST_REDIS_URL'),
    SMTP_URL: mail.url,
    MAIL_FROM: 'Lane Wholesale <no-reply@lane.example>',
    MAIL_SUPPORT: 'help@lane.example',
    METRICS_PORT,
  })
  const { PATH = '', HOME = '' } = process.env
  const shell = spawn('sh', ['-e', '-c', commands], {
    cwd: folder,
    // Inherit no other variables, because the documented commands must set them.
    env: { PATH, HOME, PORT: String(port), REDIS_PREFIX: `t${randomBytes(6).toString('hex')}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(shell, 'close')
  const end = () => {
    if (shell.pid !== undefined && shell.exitCode === null && shell.signalCode === null)
      process.kill(-shell.pid, 'SIGKILL')
  }
  process.once('exit', end)
  t.teardown(async () => {
    end()
    await ended
  })
  let said = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  await until(
    'the server started by the commands',
    () => {
      if (shell.exitCode !== null) throw new Error(`the commands ended with ${shell.exitCode}:\n${said}`)
      return said.includes(`Lanewire is ready at ${origin}`)
    },
    withinMs,
  )
  // The process starts to listen before it has loaded the vehicles that Find searches.
  await until('the process to be ready', async () => (await fetch(`${origin}/health/ready`)).ok)
  t.match(await (await fetch(`${origin}/health/ready`)).json(), { status: 'ok', database: true, redis: true })
  const page = await fetch(`${origin}/setup`)
  t.equal(page.status, 200)
  t.match(await page.text(), /<div id="root">/, 'the built client is served')
  await until('the link for the first admin', () => /\/setup#token=[\w-]+/.test(said))
})
