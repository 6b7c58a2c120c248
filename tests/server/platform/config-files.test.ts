import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ConfigError, loadConfig, loadRestoreConfig } from '#server/config/config.ts'
import { secretVariables } from '#server/config/secrets.ts'

const secrets: Record<(typeof secretVariables)[number], string> = {
  DATABASE_URL: 'postgres://lanewire:secret-of-a-database@postgres/lanewire',
  REDIS_URL: 'redis://:secret-of-redis@redis',
  REDIS_SENTINEL_PASSWORD: 'secret-of-sentinels',
  SESSION_SECRET: 'secret-of-sessions-with-many-letters',
  SMTP_URL: 'smtps://me:secret-of-mail@mail.example',
  S3_ACCESS_KEY_ID: 'secret-of-a-bucket',
  S3_SECRET_ACCESS_KEY: 'secret-of-the-same-bucket',
  STRIPE_SECRET_KEY: 'secret-of-stripe',
  STRIPE_WEBHOOK_SECRET: 'secret-of-a-webhook',
  GOOGLE_CLIENT_SECRET: 'secret-of-google',
  AI_API_KEY: 'secret-of-a-model',
  METRICS_TOKEN: 'secret-of-the-metrics',
}
const beside = {
  NODE_ENV: 'test',
  REDIS_SENTINELS: '10.0.0.1:26379,[::1]:26380,sentinel',
  S3_BUCKET: 'photos',
  GOOGLE_CLIENT_ID: 'id',
  AI_BASE_URL: 'https://ai.example',
  AI_MODEL: 'small',
}

function listFaults(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

const plain = (env: NodeJS.ProcessEnv) => JSON.parse(JSON.stringify(loadConfig(env))) as unknown

t.test('reads each secret from a file or the environment, but not both', async (t) => {
  const folder = t.testdir()
  const files: NodeJS.ProcessEnv = { ...beside }
  for (const [name, secret] of Object.entries(secrets)) {
    files[`${name}_FILE`] = join(folder, name)
    await writeFile(join(folder, name), `${secret}\n`)
  }
  t.same(plain(files), plain({ ...beside, ...secrets }))
  t.equal(loadRestoreConfig(files).databaseUrl, secrets.DATABASE_URL)
  t.same(
    listFaults({ ...files, ...secrets }),
    secretVariables.map((name) => `${name}_FILE: cannot be set together with ${name}; set only one`),
  )
})

t.test('names a secret file that is missing or empty', async (t) => {
  const folder = t.testdir({ empty: '\n' })
  const { REDIS_URL: _left, ...others } = { ...beside, ...secrets }
  const withFile = (name: string) => ({ ...others, REDIS_URL_FILE: join(folder, name) })
  t.same(listFaults(withFile('nowhere')), ['REDIS_URL_FILE: names a file that cannot be read (ENOENT)'])
  t.same(listFaults(withFile('empty')), ['REDIS_URL: required'])
  const database = { DATABASE_URL_FILE: join(folder, 'nowhere') }
  t.throws(() => loadRestoreConfig(database), /DATABASE_URL_FILE: names a file that cannot be read \(ENOENT\)/)
})

t.test('accepts only hosts with ports as sentinels', async (t) => {
  const { redisSentinels } = loadConfig({ ...beside, ...secrets, REDIS_SENTINEL_NAME: 'lanes' })
  t.same(redisSentinels, {
    hosts: [
      { host: '10.0.0.1', port: 26_379 },
      { host: '::1', port: 26_380 },
      { host: 'sentinel', port: 26_379 },
    ],
    name: 'lanes',
    password: secrets.REDIS_SENTINEL_PASSWORD,
  })
  for (const REDIS_SENTINELS of ['redis://one:26379', 'one:26379,', 'one:port', 'me@one'])
    t.match(
      listFaults({ ...beside, ...secrets, REDIS_SENTINELS }),
      [/^REDIS_SENTINELS: must be a comma-separated list/],
      REDIS_SENTINELS,
    )
  const { REDIS_SENTINELS: _none, ...alone } = { ...beside, ...secrets }
  t.same(listFaults(alone), ['REDIS_SENTINELS: required together with REDIS_SENTINEL_PASSWORD'])
})

t.test('names every secret that may be in a file in docs/configuration.md and .env.example', async (t) => {
  for (const file of ['docs/configuration.md', '.env.example']) {
    const [, list = ''] = /_FILE`?:? ((?:.+\n)+)/.exec(await readFile(file, 'utf8')) ?? []
    for (const name of secretVariables) t.match(list, name, `${file}: ${name}`)
  }
})
