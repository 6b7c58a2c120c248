import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import { patienceMs } from './patience.ts'

/** What `npm run services` has up, for a file that is run by itself. */
const handedOver = join('.data', 'test-services', 'environment.json')

/** What `npm test` hands to each test file, or `npm run services` to one that is run by itself. */
export function testEnvironment(name: string): string {
  const value = process.env[name] ?? servicesEnvironment()[name]
  if (value === undefined)
    throw new Error(`${name} is not set: keep "npm run services" running, or use "npm test -- <file>"`)
  return value
}

const servicesEnvironment = (): Record<string, string> =>
  existsSync(handedOver) ? (JSON.parse(readFileSync(handedOver, 'utf8')) as Record<string, string>) : {}

/** What starts a program of ours as a process of its own: node's arguments. @param name as in the sources: `server/main` */
export const program = (name: 'server/main' | 'server/restore' | 'server/standins/stripe/main'): string[] =>
  // Compiled by `npm test`; a file that is run by itself compiles as it goes.
  process.env['TEST_BUILD'] === undefined
    ? ['--enable-source-maps', '--import=tsx', `${name}.ts`]
    : [join(process.env['TEST_BUILD'], `${name}.mjs`)]

function databaseNamed(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  // Instead of the product's 5 s, which a busy machine exceeds: its pool prefers what the URL says.
  parsed.searchParams.set('statement_timeout', String(patienceMs))
  return parsed.href
}

/**
 * Run by the owner of the test server, in its own database or in that of one test.
 * @param options of the session, as on PostgreSQL's command line
 */
export async function execute(
  statement: string,
  connectionString = testEnvironment('TEST_DATABASE_URL'),
  options = '',
): Promise<void> {
  const client = new pg.Client({ connectionString, options })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The URL without the patience that tests ask for: what reads it goes by the product's own deadlines. */
export const withoutPatience = (url: string): string => url.split('?')[0] ?? url

/** A database of this test's own, cloned from a template and dropped at its end. */
export async function cloneDatabase(
  t: Test,
  template: 'TEST_TEMPLATE' | 'TEST_DEMO_TEMPLATE' = 'TEST_TEMPLATE',
): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Its files are copied within the file system: through PostgreSQL's own hands that takes five times as long.
  const options = '-c file_copy_method=clone'
  await execute(`create database ${name} template ${testEnvironment(template)} strategy file_copy`, undefined, options)
  t.teardown(() => execute(`drop database ${name} with (force)`))
  return databaseNamed(testEnvironment('TEST_DATABASE_URL'), name)
}

/** A database of this test's own with nothing in it, dropped at its end. */
export async function emptyDatabase(t: Test): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await execute(`create database ${name}`)
  t.teardown(() => execute(`drop database ${name} with (force)`))
  return databaseNamed(testEnvironment('TEST_DATABASE_URL'), name)
}

export interface TestServices {
  DATABASE_URL: string
  /** The longest that the configuration allows: a busy machine must not look like a database that is away. */
  DATABASE_CONNECT_MS: string
  REDIS_URL: string
  /** Every key, queue and channel of one test begins with it, so that files run side by side. */
  REDIS_PREFIX: string
  /** Its files; leaves with the test run. */
  DATA_DIR: string
}

/**
 * Redis without the product's deadline of 250 ms for a command, which a busy machine exceeds: the client prefers what the URL says, and takes a
 * text for no deadline. Behind a proxy (./proxy.ts) the product's own holds.
 */
function patientRedis(url: string): string {
  const patient = new URL(url)
  patient.searchParams.set('commandTimeout', 'none')
  return patient.href
}

/** PostgreSQL and Redis for one test, as environment values for `loadConfig`. */
export async function testServices(t: Test): Promise<TestServices> {
  const REDIS_PREFIX = `t${randomBytes(6).toString('hex')}`
  return {
    DATABASE_URL: await cloneDatabase(t),
    DATABASE_CONNECT_MS: '60000',
    REDIS_URL: patientRedis(testEnvironment('TEST_REDIS_URL')),
    REDIS_PREFIX,
    DATA_DIR: join(testEnvironment('TEST_DATA_DIR'), REDIS_PREFIX),
  }
}
