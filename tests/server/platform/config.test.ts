import { randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { photoMaxBytes } from '#shared/limits.ts'
import { ConfigError, loadConfig } from '#server/config/config.ts'
import { Environment } from '#server/config/environment.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lanewire.example',
  DATABASE_URL: `postgres://lanewire:${randomBytes(24).toString('hex')}@postgres/lanewire`,
  REDIS_URL: 'redis://redis',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Quiet Lorries <no-reply@quiet-lorries.example>',
  MAIL_SUPPORT: 'help@quiet-lorries.example',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}
const without = (...names: (keyof typeof production)[]) => Object.fromEntries(names.map((name) => [name, undefined]))
const noStripe = without('STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET')

function listFaults(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig({ ...production, ...env })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

const faultsWith = (env: Record<string, string | undefined>): string[] =>
  listFaults(env).map((fault) => fault.split(': ')[0] ?? fault)

t.test('starts a fully configured production without the demo', async (t) => {
  const { demo, demoSeed, billing, backups } = loadConfig({ ...production, BACKUPS_KEPT: '' })
  t.match({ demo, demoSeed, billing, backups }, { demo: false, demoSeed: false, billing: true, backups: { kept: 7 } })
})

t.test('requires a confirmed address to trade in production, except in a demo', async (t) => {
  t.equal(loadConfig(production).confirmedOnly, true)
  t.equal(loadConfig({ ...production, DEMO: 'on' }).confirmedOnly, false)
  t.equal(loadConfig({ ...production, NODE_ENV: 'development' }).confirmedOnly, false)
})

t.test('refuses published or weak secrets in production', async (t) => {
  const easy = [undefined, 'short and sweet', 'x'.repeat(64), 'ab12'.repeat(16), ' '.repeat(40)]
  const published = [
    'change-this-secret-before-anyone-else-can-reach-it',
    'lanewire-development-secret-not-for-production',
  ]
  for (const SESSION_SECRET of [...easy, ...published]) {
    t.same(faultsWith({ SESSION_SECRET }), ['SESSION_SECRET'], String(SESSION_SECRET))
    if (SESSION_SECRET)
      t.same(faultsWith({ SESSION_SECRET, DEMO: 'on' }), ['SESSION_SECRET'], 'a demo refuses it as well')
  }
  t.match(loadConfig({ ...production, NODE_ENV: 'development', ...without('SESSION_SECRET') }), {
    secret: published[1],
  })
})

t.test('documents no secret or password that production would accept', async (t) => {
  const docs = (await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md'))
  const files = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', '.env.example', 'compose.yaml']
  for (const file of [...files, ...docs.map((name) => join('docs', name))]) {
    const text = await readFile(file, 'utf8')
    for (const [, SESSION_SECRET = ''] of text.matchAll(/SESSION_SECRET(?:=|: )([^\s`'"$]{32,})/g))
      t.same(faultsWith({ SESSION_SECRET }), ['SESSION_SECRET'], `${file}: ${SESSION_SECRET}`)
    for (const [DATABASE_URL] of text.matchAll(/postgres:\/\/[\w-]+:[^\s@$…]+@[\w.]+/g))
      t.same(faultsWith({ DATABASE_URL }), ['DATABASE_URL'], `${file}: ${DATABASE_URL}`)
  }
})

t.test('accepts a database with a published password in a demo only', async (t) => {
  const DATABASE_URL = 'postgres://lanewire:lanewire@postgres:5432/lanewire'
  t.same(faultsWith({ DATABASE_URL }), ['DATABASE_URL'])
  t.same(faultsWith({ DATABASE_URL, DEMO: 'on' }), [])
  t.same(faultsWith({ DATABASE_URL: 'postgres://lanewire@%2Fvar%2Frun/lanewire' }), [], 'a socket needs no password')
})

t.test('requires own mail addresses in production, except in a demo', async (t) => {
  t.same(faultsWith(without('SMTP_URL')), ['SMTP_URL'])
  const addresses = without('MAIL_FROM', 'MAIL_SUPPORT')
  t.same(faultsWith(addresses), ['MAIL_FROM', 'MAIL_SUPPORT'], 'the defaults do not count')
  t.same(faultsWith({ ...without('SMTP_URL'), ...addresses, DEMO: 'on' }), [])
  const { mail } = loadConfig({ ...production, ...addresses, DEMO: 'on' })
  for (const MAIL_FROM of [mail.from, 'no-reply@Lanewire.example', 'a@mail.lanewire.example', 'Lanewire'])
    t.same(faultsWith({ MAIL_FROM }), ['MAIL_FROM'], MAIL_FROM)
  for (const MAIL_SUPPORT of [mail.support, 'Help <help@quiet-lorries.example>'])
    t.same(faultsWith({ MAIL_SUPPORT }), ['MAIL_SUPPORT'], MAIL_SUPPORT)
  t.same(faultsWith({ MAIL_FROM: 'no-reply@not-lanewire.example' }), [], 'another domain, without a name')
})

t.test('documents no sender address that production would accept', async (t) => {
  for (const file of ['README.md', 'docs/operations.md', 'docs/configuration.md', '.env.example'])
    for (const [, name = '', shown = ''] of (await readFile(file, 'utf8')).matchAll(/^.*\b(MAIL_[A-Z]+)=(.+)$/gm))
      t.same(faultsWith({ [name]: shown.replace(/ +# .*/, '').replaceAll("'", '') }), [name], `${file}: ${shown}`)
})

t.test('requires all payment keys in production, or none without billing', async (t) => {
  const half: [keyof typeof production, ...(keyof typeof production)[]][] = [
    ['STRIPE_SECRET_KEY'],
    ['STRIPE_PUBLISHABLE_KEY'],
    ['STRIPE_WEBHOOK_SECRET'],
    ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ]
  for (const missing of half) {
    t.same(faultsWith(without(...missing)), missing)
    t.same(faultsWith({ ...without(...missing), DEMO: 'on' }), missing, 'a demo as well')
    t.same(faultsWith({ ...without(...missing), BILLING: 'off' }), [])
  }
  t.same(faultsWith(noStripe), ['STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET'])
  t.same(faultsWith({ ...noStripe, DEMO: 'on' }), [])
  t.same(faultsWith({ ...noStripe, BILLING: 'off' }), [])
})

t.test('does not treat a misspelled environment as development', async (t) => {
  for (const NODE_ENV of ['prod', 'Production', 'production ', 'staging'])
    t.same(faultsWith({ NODE_ENV }), ['NODE_ENV'], NODE_ENV)
  for (const NODE_ENV of ['production', 'development', 'test']) t.same(faultsWith({ NODE_ENV }), [], NODE_ENV)
})

t.test('requires a public address that browsers and passkeys accept as an origin', async (t) => {
  const wrong = [
    'https://',
    'https://a.example/app',
    'https://A.example',
    'https://a.example:443',
    'https://b@a.example',
  ]
  for (const PUBLIC_URL of wrong) t.same(faultsWith({ PUBLIC_URL }), ['PUBLIC_URL'], PUBLIC_URL)
  for (const PUBLIC_URL of ['https://a.example', 'https://a.example/', 'http://localhost:5000'])
    t.same(faultsWith({ PUBLIC_URL }), [], PUBLIC_URL)
})

t.test('reports a half-configured service instead of turning it off', async (t) => {
  t.same(faultsWith({ S3_ENDPOINT: 'https://s3.example' }), ['S3_BUCKET'])
  t.same(faultsWith({ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }), ['S3_BUCKET'])
  t.same(faultsWith({ S3_BUCKET: 'photos' }), [], 'the machine may have credentials of its own')
  t.same(faultsWith({ GOOGLE_CLIENT_ID: 'id' }), ['GOOGLE_CLIENT_SECRET'])
  t.same(faultsWith({ GOOGLE_CLIENT_SECRET: 'secret' }), ['GOOGLE_CLIENT_ID'])
  t.same(faultsWith({ AI_BASE_URL: 'https://ai.example' }), ['AI_MODEL'])
  t.same(faultsWith({ AI_MODEL: 'small' }), ['AI_BASE_URL'])
})

t.test('reports each invalid value once, in words and without the value', async (t) => {
  const words = {
    NODE_ENV: ['prod', 'must be development, production or test'],
    ROLES: ['web', 'must be one or more of api, rt and worker, separated by commas without spaces'],
    DEMO: ['true', 'must be on or off'],
    LOG_LEVEL: ['verbose', 'must be fatal, error, warn, info, debug, trace or silent'],
    BACKUP_HOUR_UTC: ['03', 'must be an hour from 0 to 23 without a leading zero, or off'],
    MAIL_SUPPORT: ['nobody', 'must be one email address'],
    DATABASE_URL: [undefined, 'required'],
    REDIS_URL: ['localhost:6379', 'must be a URL that begins with redis:// or rediss:// or unix://'],
    PORT: ['web', 'must be a whole number'],
    DATABASE_POOL: ['5.5', 'must be a whole number'],
    // Node fires a timer immediately if its delay is longer than about 24 days.
    DATABASE_CONNECT_MS: ['3000000000', 'must be <= 60000'],
    SHUTDOWN_GRACE_MS: ['3000000000', 'must be <= 3600000'],
  }
  for (const [name, [value, reason]] of Object.entries(words))
    t.same(listFaults({ [name]: value }), [`${name}: ${reason}`])
})

t.test('reports a service address that its client cannot parse', async (t) => {
  const wrong = {
    DATABASE_URL: ['postgres://lanewire:a/b#c@postgres/lanewire'],
    REDIS_URL: ['redis://:a/b@redis', 'redis://:6379'],
    SMTP_URL: ['smtps://me:a#b@mail.example', 'smtps://'],
    AI_BASE_URL: ['https://'],
    S3_ENDPOINT: ['http://'],
  }
  const beside = { AI_MODEL: 'small', AI_BASE_URL: 'https://ai.example', S3_BUCKET: 'photos' }
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) t.same(faultsWith({ ...beside, [name]: value }), [name], value)
  const right = {
    DATABASE_URL: [
      'postgres://lanewire:a%2Fb%23c@postgres/lanewire',
      'postgres://me@/lanewire?host=/tmp',
      'postgres:///x',
    ],
    REDIS_URL: ['redis://:a%2Fb@redis', 'unix:///run/redis.sock'],
    SMTP_URL: ['smtps://me:a%23b@mail.example'],
  }
  for (const [name, values] of Object.entries(right))
    for (const value of values) t.same(faultsWith({ [name]: value }), [], value)
})

/** Returns the variables in an example file, including those that are commented out. */
const namesIn = (example: string) => [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)

t.test('documents in .env.example exactly the variables of server and compose.yaml, once each', async (t) => {
  const compose = await readFile('compose.yaml', 'utf8')
  const asked = [...compose.matchAll(/\$\{([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name)
  const shown = namesIn(await readFile('.env.example', 'utf8'))
  t.same(shown.toSorted(), [...new Set([...Object.keys(Environment.properties), ...asked])].toSorted())
})

t.test("uses npm start's server arguments in the image and docs/operations.md", async (t) => {
  const { SERVER } = (await import(pathToFileURL('scripts/run/build.mjs').href)) as { SERVER: string[] }
  const wanted = ['node', ...SERVER.slice(0, -1), 'dist/server/main.js']
  const [, image = ''] = /^CMD (\[.+\])$/m.exec(await readFile('Dockerfile', 'utf8')) ?? []
  t.same(JSON.parse(image), wanted)
  t.match(await readFile('docs/operations.md', 'utf8'), `\n${wanted.join(' ')}\n`)
})

t.test('lists every variable in docs/configuration.md', async (t) => {
  const text = await readFile('docs/configuration.md', 'utf8')
  const rows = [...text.matchAll(/^\| (`[A-Z].+?) +\|/gm)].map(([, cell = '']) => cell)
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name))
  t.same(named.toSorted(), Object.keys(Environment.properties).toSorted())
})

t.test('passes each variable to every process in compose.yaml, or lists it as left out', async (t) => {
  const text = await readFile('compose.yaml', 'utf8')
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, { environment: Record<string, string>; ports?: string[] }>
  }
  const comment = /# Not passed on: (.+?)\n(?! *#)/s.exec(text)?.[1] ?? ''
  const leftOut = [...comment.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b(?:HOST|PORT)\b/g)].map(([name]) => name)
  for (const [name, alsoLeftOut] of [
    ['web', ['STRIPE_STANDIN_WEBHOOK_URL']],
    ['worker', ['STRIPE_STANDIN_WEBHOOK_URL']],
    ['payments', ['ROLES']],
  ] as const) {
    const given = Object.keys(services[name]?.environment ?? {})
    t.same([...given, ...leftOut, ...alsoLeftOut].toSorted(), Object.keys(Environment.properties).toSorted(), name)
  }
  const { DEMO, SESSION_SECRET } = services['web']?.environment ?? {}
  t.equal(DEMO, '${DEMO:-off}')
  t.match(SESSION_SECRET, /^\$\{SESSION_SECRET:\?/)
  t.match(services['postgres']?.environment['POSTGRES_PASSWORD'], /^\$\{POSTGRES_PASSWORD:\?/)
  for (const port of Object.values(services).flatMap(({ ports = [] }) => ports))
    t.match(port, /^(127\.0\.0\.1|\$\{LISTEN:-127\.0\.0\.1\}):\d+:\d+$/, 'reached from this machine only')
})

t.test("forwards to the server's port in docs/Caddyfile and allows its largest upload", async (t) => {
  const text = await readFile('docs/Caddyfile', 'utf8')
  const { host, port } = loadConfig(production)
  t.match(text, `\n${new URL(production.PUBLIC_URL).host} {`)
  t.match(text, `\n\treverse_proxy ${host}:${port} {`)
  const mebibytes = Number(/max_size (\d+)MiB/.exec(text)?.[1])
  t.ok(mebibytes * 1024 * 1024 > photoMaxBytes, `${mebibytes} MiB`)
  t.notMatch(text, /\bencode\b/, 'the server compresses what may be compressed')
})
