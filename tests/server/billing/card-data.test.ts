import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { aProfile } from '#tests/support/newcomer.ts'
import { program, testServices } from '#tests/support/services.ts'
import { says } from '#tests/support/spelled.ts'
import { until } from '#tests/support/wait.ts'

/** A declined card, a valid card and an unknown card. None of these numbers may be stored anywhere. */
const numbers = ['4000000000009995', '4242424242424242', '4111111111111111']
const cvv = '9173'

async function startOutside() {
  const services = await testServices(t)
  const child = spawn(process.execPath, program('server/main'), {
    env: {
      ...process.env,
      ...services,
      DEMO: 'on',
      DEMO_SEED: 'off',
      PORT: '0',
      LOG_LEVEL: 'trace',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (log += part.toString()))
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  t.teardown(stop)
  const url = await until('the server', () => /ready at (http\S+)/.exec(log)?.[1])
  return { url, services, stop, readLog: () => log }
}

/** Returns the contents of all tables except postal places, whose numbers could match by chance. */
async function dump(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'postal_places'",
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const table = await client.query<{ row: string }>(`select ${name}::text as row from ${name}`)
    texts.push(...table.rows.map(({ row }) => row))
  }
  await client.end()
  return texts.join('\n')
}

async function filesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n')
}

const billingAddress = {
  address: '4100 Harry Hines Blvd',
  city: 'Dallas',
  state: 'TX',
  zipCode: '75219',
  country: 'US',
}

t.test('stores no card number or CVV in database, logs or files', async (t) => {
  const { url, services, stop, readLog } = await startOutside()
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const email = 'buyer@checkout.example'
  const signup = await post('/api/auth/signup', { email, password: 'seven quiet lorries at dawn' })
  const cookie = signup.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  t.equal((await post('/api/auth/complete-profile', { ...aProfile, email }, cookie)).status, 200)
  const pay = (cardNumber: string) =>
    post(
      '/api/auth/complete-subscription',
      {
        plan: 'basic',
        paymentInfo: { cardNumber, cvv, expiryDate: '08 / 31', nameOnCard: 'Dana Torres', billingAddress },
      },
      cookie,
    )
  t.same(
    [(await pay(numbers[2] ?? '')).status, (await pay(numbers[0] ?? '')).status, (await pay(numbers[1] ?? '')).status],
    [400, 402, 200],
  )
  // Read the files after the server has stopped, because they no longer change.
  await stop()
  const stored = (await dump(services.DATABASE_URL)) + (await filesBelow(services.DATA_DIR)) + readLog()
  t.match(stored, email, 'the searched locations are the ones in use')
  t.match(stored, 'last4')
  for (const number of numbers) {
    t.notOk(stored.includes(number), 'the number')
    t.notOk(stored.includes(number.replace(/(.{4})(?=.)/g, '$1 ')), 'the number in groups')
  }
  t.notOk(says(stored, cvv), 'the cvv')
})
