import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import { patienceMs } from './patience.ts'

/** `npm run services` writes this file, for test files that run on their own. */
const handedOver = join('.data', 'test-services', 'environment.json')

/** Returns an environment variable set by `npm test` or `npm run services`. */
export function testEnvironment(name: string): string {
  const value = process.env[name] ?? servicesEnvironment()[name]
  if (value === undefined)
    throw new Error(`${name} is not set: keep "npm run services" running, or use "npm test -- <file>"`)
  return value
}

const servicesEnvironment = (): Record<string, string> =>
  existsSync(handedOver) ? (JSON.parse(readFileSync(handedOver, 'utf8')) as Record<string, string>) : {}

/** Returns the Node arguments that start a program. */
export const program = (name: 'server/main' | 'server/restore' | 'server/standins/stripe/main'): string[] =>
  // `npm test` compiles the programs first. Otherwise tsx compiles them on the fly.
  process.env['TEST_BUILD'] === undefined
    ? ['--enable-source-maps', '--import=tsx', `${name}.ts`]
    : [join(process.env['TEST_BUILD'], `${name}.mjs`)]

function databaseNamed(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  // Override the server's timeout of 5 s, which is too short on a busy machine.
  parsed.searchParams.set('statement_timeout', String(patienceMs))
  return parsed.href
}

/** Runs a statement as the owner of the database server. `options` are PostgreSQL options, such as `-c name=value`. */
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

/** Returns the URL without the long timeouts of tests. */
export const withoutPatience = (url: string): string => url.split('?')[0] ?? url

export async function cloneDatabase(
  t: Test,
  template: 'TEST_TEMPLATE' | 'TEST_DEMO_TEMPLATE' = 'TEST_TEMPLATE',
): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Clone the database files in the file system, which is five times faster than copying them through PostgreSQL.
  const options = '-c file_copy_method=clone'
  await execute(`create database ${name} template ${testEnvironment(template)} strategy file_copy`, undefined, options)
  t.teardown(() => execute(`drop database ${name} with (force)`))
  return databaseNamed(testEnvironment('TEST_DATABASE_URL'), name)
}

export async function emptyDatabase(t: Test): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await execute(`create database ${name}`)
  t.teardown(() => execute(`drop database ${name} with (force)`))
  return databaseNamed(testEnvironment('TEST_DATABASE_URL'), name)
}

export interface TestServices {
  DATABASE_URL: string
  /** The largest value that the configuration allows, so that a busy machine does not look like an outage. */
  DATABASE_CONNECT_MS: string
  REDIS_URL: string
  /** Prefix of the test's keys, queues and channels, so that test files can run in parallel. */
  REDIS_PREFIX: string
  DATA_DIR: string
}

/** Disables the product's timeouts for Redis commands. ioredis prefers the value in the URL, and a value that is no number means none. */
function patientRedis(url: string): string {
  const patient = new URL(url)
  patient.searchParams.set('commandTimeout', 'none')
  return patient.href
}

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
