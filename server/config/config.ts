import type { Static } from 'typebox'
import { readSentinels, type Sentinels } from './redis.ts'
import { hopsMax, readTrust, type Trust } from './trusted-proxies.ts'
import { StartFault } from '../errors.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { developmentSecret, productionFaults } from './production-faults.ts'

export class ConfigError extends StartFault {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(`Configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/** Prints an error and exits. Prints only the message of a StartFault, but the stack of any other error. */
export function exitWith(error: unknown): never {
  process.stderr.write(`${error instanceof StartFault ? error.message : String((error as Error).stack ?? error)}\n`)
  process.exit(1)
}

/** Loads only the database and storage settings, which are all that a restore needs. @throws {ConfigError} */
export function loadRestoreConfig(env: NodeJS.ProcessEnv = process.env) {
  const { values, faults } = readEnvironment(env)
  const own = faults.filter((fault) => /^(DATABASE_URL|S3_\w+|STORAGE_DIR)(_FILE)?:/.test(fault))
  if (own.length > 0) throw new ConfigError(own)
  return { databaseUrl: values.DATABASE_URL, ...storageOf(values) }
}

/** Returns undefined if no AI model is configured. Rules then generate the summaries. */
function aiOf(values: Static<typeof Environment>) {
  if (values.AI_BASE_URL === undefined || values.AI_MODEL === undefined) return undefined
  return Object.freeze({
    baseUrl: values.AI_BASE_URL,
    apiKey: values.AI_API_KEY,
    model: values.AI_MODEL,
    timeoutMs: values.AI_TIMEOUT_MS,
  })
}

function backupsOf(values: Static<typeof Environment>) {
  return Object.freeze({
    /** UTC hour of the daily backup; undefined if daily backups are off. */
    hour: values.BACKUP_HOUR_UTC === 'off' ? undefined : Number(values.BACKUP_HOUR_UTC),
    kept: values.BACKUPS_KEPT,
    inBucket: values.BACKUPS_IN === 'bucket',
    uploads: values.BACKUP_UPLOADS === 'on',
    /** If undefined, the server uses Debian's pg_dump if installed, otherwise the pg_dump that comes with Lanewire. */
    pgDump: values.PG_DUMP,
  })
}

/** True if the URL is an origin, as in an `Origin` header. A trailing slash is allowed. */
function isOrigin(url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === url.replace(/\/$/, '')
}

const together = [
  { needed: ['S3_BUCKET'], beside: ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] },
  { needed: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], beside: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] },
  { needed: ['REDIS_SENTINELS'], beside: ['REDIS_SENTINELS', 'REDIS_SENTINEL_PASSWORD'] },
  { needed: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'], beside: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] },
  { needed: ['AI_BASE_URL', 'AI_MODEL'], beside: ['AI_BASE_URL', 'AI_MODEL', 'AI_API_KEY'] },
] as const

/** Reports settings that need other, missing settings, because the server would silently ignore them. */
function halfFaults(values: Static<typeof Environment>): string[] {
  return together.flatMap(({ needed, beside }) => {
    const given = beside.filter((name) => values[name] !== undefined)
    if (given.length === 0) return []
    const missing = needed.filter((name) => values[name] === undefined)
    return missing.map((name) => `${name}: required together with ${given.join(', ')}`)
  })
}

function sentinelsOf(values: Static<typeof Environment>): Sentinels | undefined {
  const hosts = values.REDIS_SENTINELS === undefined ? undefined : readSentinels(values.REDIS_SENTINELS)
  return hosts && Object.freeze({ hosts, name: values.REDIS_SENTINEL_NAME, password: values.REDIS_SENTINEL_PASSWORD })
}

/** @throws {ConfigError} that lists all errors */
function readUsable(env: NodeJS.ProcessEnv): { values: Static<typeof Environment>; trustProxy: Trust } {
  const { values, faults } = readEnvironment(env)
  faults.push(...halfFaults(values))
  if (values.BACKUPS_IN === 'bucket' && values.S3_BUCKET === undefined)
    faults.push('S3_BUCKET: required with BACKUPS_IN=bucket')
  if (values.REDIS_SENTINELS !== undefined && readSentinels(values.REDIS_SENTINELS) === undefined)
    faults.push('REDIS_SENTINELS: must be a comma-separated list of host:port')
  if (values.PUBLIC_URL !== undefined && !isOrigin(values.PUBLIC_URL))
    faults.push('PUBLIC_URL: must be an origin: https://, then the host in lower case, and no path')
  if (values.NODE_ENV === 'production') faults.push(...productionFaults(values))
  const trustProxy = readTrust(values.TRUST_PROXY)
  if (trustProxy === undefined)
    faults.push(`TRUST_PROXY: must be off, on, a number of load balancers up to ${hopsMax}, or a list of networks`)
  if (trustProxy === undefined || faults.length > 0) throw new ConfigError(faults)
  return { values, trustProxy }
}

const wordsOf = (list = ''): string[] => list.split(',').filter((word) => word !== '')

/** Reads and validates the environment. @throws {ConfigError} that lists all errors */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const { values, trustProxy } = readUsable(env)
  const production = values.NODE_ENV === 'production'
  const roles = new Set(values.ROLES.split(','))
  const fetchPrivateHosts = Object.freeze(wordsOf(values.FETCH_PRIVATE_HOSTS))
  const demo = values.DEMO === undefined ? !production : values.DEMO === 'on'
  return Object.freeze({
    production,
    roles: Object.freeze({ api: roles.has('api'), rt: roles.has('rt'), worker: roles.has('worker') }),
    demo,
    staffSecondFactor: production && !demo,
    verifiedOnly: production && !demo,
    confirmedOnly: production && !demo,
    demoSeed: demo && values.DEMO_SEED !== 'off',
    demoDirector: demo && values.DEMO_DIRECTOR !== 'off',
    demoDirectorSeed: values.DEMO_DIRECTOR_SEED,
    port: values.PORT,
    host: values.HOST,
    /** Origin without a trailing slash. If undefined, the server uses the host that each request names. */
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, ''),
    /** Says which proxies' `X-Forwarded-*` headers to trust. */
    trustProxy,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    databaseConnectMs: values.DATABASE_CONNECT_MS,
    redisUrl: values.REDIS_URL,
    /** If set, the server asks these sentinels for Redis's address, and REDIS_URL only provides the credentials and options. */
    redisSentinels: sentinelsOf(values),
    redisPrefix: values.REDIS_PREFIX,
    /** Signs upload URLs and tokens in emails, and encrypts the secrets of authenticator apps. Sessions do not depend on it. */
    secret: values.SESSION_SECRET ?? developmentSecret,
    /** At level `info`, every request is logged, which is too much for development. */
    logLevel: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    dataDir: values.DATA_DIR,
    ...storageOf(values),
    /** If false, billing is off, and every dealer has the features of the Premium Plan. */
    billing: values.BILLING !== 'off',
    stripe: Object.freeze({
      secretKey: values.STRIPE_SECRET_KEY,
      publishableKey: values.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: values.STRIPE_WEBHOOK_SECRET,
      apiUrl: values.STRIPE_API_URL,
      /** URL of the payment stand-in that all processes of a demo share, and the URL to which it sends webhooks. */
      standinUrl: values.STRIPE_STANDIN_URL,
      standinWebhookUrl: values.STRIPE_STANDIN_WEBHOOK_URL,
    }),
    google: Object.freeze({
      clientId: values.GOOGLE_CLIENT_ID,
      clientSecret: values.GOOGLE_CLIENT_SECRET,
      issuer: values.GOOGLE_ISSUER,
    }),
    ai: aiOf(values),
    mail: Object.freeze({ smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, support: values.MAIL_SUPPORT }),
    /** `host:port` pairs with private addresses that fetched links may use, for development and tests. */
    fetchPrivateHosts,
    push: pushOf(values),
    backups: backupsOf(values),
    metricsToken: values.METRICS_TOKEN,
    metricsPort: values.METRICS_PORT,
    rateLimits: values.RATE_LIMITS !== 'off',
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
  })
}

export type Config = ReturnType<typeof loadConfig>

interface StorageValues {
  DATA_DIR: string
  STORAGE_DIR?: string
  S3_BUCKET?: string
  S3_ENDPOINT?: string
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string
  S3_SECRET_ACCESS_KEY?: string
}

function storageOf(values: StorageValues) {
  const s3 =
    values.S3_BUCKET === undefined
      ? undefined
      : Object.freeze({
          endpoint: values.S3_ENDPOINT,
          region: values.S3_REGION,
          bucket: values.S3_BUCKET,
          accessKeyId: values.S3_ACCESS_KEY_ID,
          secretAccessKey: values.S3_SECRET_ACCESS_KEY,
        })
  return { storageDir: values.STORAGE_DIR ?? `${values.DATA_DIR}/storage`, s3 }
}

interface PushVariables {
  PUSH?: string
  PUSH_CONTACT?: string
  PUSH_HOSTS: string
  MAIL_SUPPORT: string
}

const pushOf = ({ PUSH, PUSH_CONTACT, PUSH_HOSTS, MAIL_SUPPORT }: PushVariables) =>
  Object.freeze({
    on: PUSH !== 'off',
    /** Address at which push services can reach the operator (RFC 8292, section 2.1). */
    contact: PUSH_CONTACT ?? `mailto:${MAIL_SUPPORT}`,
    hosts: Object.freeze(PUSH_HOSTS.split(',')),
  })
