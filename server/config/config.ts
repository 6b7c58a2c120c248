import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { emailPattern, isEmail } from '#shared/email.ts'
import { readSentinels, type Sentinels } from './redis.ts'
import { withSecretFiles } from './secrets.ts'
import { pushOf } from './push.ts'
import { storageOf } from './storage.ts'
import { hopsMax, readTrust, type Trust } from './trusted-proxies.ts'
import { StartFault } from '../errors.ts'

const OnOff = Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'on or off' })
const url = (...protocols: string[]) =>
  Type.String({
    pattern: `^(${protocols.join('|')})://`,
    description: `a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  })

/**
 * Every environment variable that the server reads. Nothing else reads `process.env`. Descriptions follow "must be".
 */
export const Environment = Type.Object({
  NODE_ENV: Type.String({
    default: 'development',
    pattern: '^(development|production|test)$',
    description: 'development, production or test',
  }),
  ROLES: Type.String({
    default: 'api,rt,worker',
    pattern: '^(api|rt|worker)(,(api|rt|worker))*$',
    description: 'one or more of api, rt and worker, separated by commas without spaces',
  }),
  PORT: Type.Integer({ default: 5000, minimum: 0, maximum: 65535 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  PUBLIC_URL: Type.Optional(url('https', 'http')),
  DATABASE_URL: url('postgres', 'postgresql'),
  DATABASE_POOL: Type.Integer({ default: 10, minimum: 1, maximum: 200 }),
  DATABASE_CONNECT_MS: Type.Integer({ default: 2_000, minimum: 100, maximum: 60_000 }),
  REDIS_URL: url('redis', 'rediss', 'unix'),
  REDIS_SENTINELS: Type.Optional(Type.String()),
  REDIS_SENTINEL_NAME: Type.String({ default: 'mymaster' }),
  REDIS_SENTINEL_PASSWORD: Type.Optional(Type.String()),
  REDIS_PREFIX: Type.String({ default: 'lw', pattern: '^[A-Za-z0-9_-]+$', description: 'of letters, digits, _ and -' }),
  SESSION_SECRET: Type.Optional(Type.String({ minLength: 32 })),
  DEMO: Type.Optional(OnOff),
  DEMO_SEED: Type.Optional(OnOff),
  DEMO_DIRECTOR: Type.Optional(OnOff),
  DEMO_DIRECTOR_SEED: Type.Integer({ default: 20_260, minimum: 0, maximum: 0xffff_ffff }),
  LOG_LEVEL: Type.Optional(
    Type.String({
      pattern: '^(fatal|error|warn|info|debug|trace|silent)$',
      description: 'fatal, error, warn, info, debug, trace or silent',
    }),
  ),
  DATA_DIR: Type.String({ default: '.data' }),
  STORAGE_DIR: Type.Optional(Type.String()),
  S3_ENDPOINT: Type.Optional(url('https', 'http')),
  S3_REGION: Type.String({ default: 'us-east-1' }),
  S3_BUCKET: Type.Optional(Type.String()),
  S3_ACCESS_KEY_ID: Type.Optional(Type.String()),
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String()),
  BILLING: Type.Optional(OnOff),
  STRIPE_SECRET_KEY: Type.Optional(Type.String()),
  STRIPE_PUBLISHABLE_KEY: Type.Optional(Type.String()),
  STRIPE_WEBHOOK_SECRET: Type.Optional(Type.String()),
  STRIPE_API_URL: Type.Optional(url('https', 'http')),
  STRIPE_STANDIN_URL: Type.Optional(url('https', 'http')),
  STRIPE_STANDIN_WEBHOOK_URL: Type.Optional(url('https', 'http')),
  GOOGLE_CLIENT_ID: Type.Optional(Type.String()),
  GOOGLE_CLIENT_SECRET: Type.Optional(Type.String()),
  GOOGLE_ISSUER: Type.String({ default: 'https://accounts.google.com' }),
  AI_BASE_URL: Type.Optional(url('https', 'http')),
  AI_API_KEY: Type.Optional(Type.String()),
  AI_MODEL: Type.Optional(Type.String()),
  AI_TIMEOUT_MS: Type.Integer({ default: 20_000, minimum: 100, maximum: 120_000 }),
  SMTP_URL: Type.Optional(url('smtps', 'smtp')),
  MAIL_FROM: Type.String({ default: 'Lanewire <no-reply@lanewire.example>' }),
  MAIL_SUPPORT: Type.String({
    default: 'support@lanewire.example',
    pattern: emailPattern,
    description: 'one email address',
  }),
  FETCH_PRIVATE_HOSTS: Type.Optional(Type.String()),
  PUSH: Type.Optional(OnOff),
  PUSH_CONTACT: Type.Optional(
    Type.String({ pattern: '^(mailto:.+@.+|https://.+)$', description: 'a URL that begins with mailto: or https://' }),
  ),
  PUSH_HOSTS: Type.String({
    default: 'fcm.googleapis.com,*.push.services.mozilla.com,*.notify.windows.com,*.push.apple.com',
    pattern: '^(\\*\\.)?[a-z0-9.-]+(,(\\*\\.)?[a-z0-9.-]+)*$',
    description: 'host names in lower case, separated by commas; *.example.com stands for its subdomains',
  }),
  BACKUP_HOUR_UTC: Type.String({
    default: '3',
    pattern: '^(off|1?[0-9]|2[0-3])$',
    description: 'an hour from 0 to 23 without a leading zero, or off',
  }),
  BACKUPS_IN: Type.String({ default: 'disk', pattern: '^(disk|bucket)$', description: 'disk or bucket' }),
  BACKUP_UPLOADS: Type.Optional(OnOff),
  BACKUPS_KEPT: Type.Integer({ default: 7, minimum: 1, maximum: 365 }),
  PG_DUMP: Type.Optional(Type.String()),
  METRICS_TOKEN: Type.Optional(Type.String({ minLength: 16 })),
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  TRUST_PROXY: Type.String({ default: 'off' }),
  RATE_LIMITS: Type.Optional(OnOff),
  SHUTDOWN_GRACE_MS: Type.Integer({ default: 30_000, minimum: 0, maximum: 3_600_000 }),
})

export class ConfigError extends StartFault {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(`Configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/** Ends the process. Prints a message for known startup errors, and the stack for all others. */
export function exitWith(error: unknown): never {
  process.stderr.write(`${error instanceof StartFault ? error.message : String((error as Error).stack ?? error)}\n`)
  process.exit(1)
}

const knownVariables = Object.keys(Environment.properties) as (keyof typeof Environment.properties)[]

/** Like PostgreSQL's client, accepts a URL without a host after `@`. */
const readUrl = (text: string): URL | undefined => {
  const whole = text.replace('@/', '@localhost/')
  return URL.canParse(whole) ? new URL(whole) : undefined
}

/** The library's own types lack these JSON Schema fields. */
const schemas = Environment.properties as Record<string, object> as Record<
  string,
  { type?: string; description?: string; pattern?: string }
>

/** Describes the expected value. Never prints the actual value, which may hold a password. */
function faultOf(name: string, value: unknown, message: string): string {
  if (value === undefined) return `${name}: required`
  const { description } = schemas[name] ?? {}
  return `${name}: ${description === undefined ? message : `must be ${description}`}`
}

/** Finds URLs that begin correctly but do not parse, mostly because of a special character in a password. */
function urlFaults(values: Record<string, unknown>): string[] {
  return Object.entries(schemas).flatMap(([name, { pattern = '' }]) => {
    const value = values[name]
    // PUBLIC_URL has stricter checks of its own.
    if (typeof value !== 'string' || !pattern.endsWith('://') || name === 'PUBLIC_URL') return []
    if (!new RegExp(pattern).test(value)) return []
    const url = readUrl(value)
    if (url !== undefined && (url.hostname !== '' || !value.startsWith('smtp'))) return []
    return `${name}: has no readable host; in a user name or password write / as %2F, # as %23, ? as %3F, @ as %40, : as %3A`
  })
}

/** Finds fractions, which the library would round: 5.5 becomes 5. */
const brokenNumbers = (env: NodeJS.ProcessEnv): string[] =>
  knownVariables.filter((name) => schemas[name]?.type === 'integer' && env[name] && !/^-?\d+$/.test(env[name]))

function readEnvironment(given: NodeJS.ProcessEnv): { values: Static<typeof Environment>; faults: string[] } {
  const { env, faults: unread } = withSecretFiles(given)
  const picked = Object.fromEntries(knownVariables.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const converted = Value.Convert(Environment, Value.Default(Environment, picked)) as Record<string, unknown>
  const faults = new Map<string, string>()
  for (const { instancePath, params, message } of Value.Errors(Environment, converted)) {
    const { requiredProperties = [] } = params as { requiredProperties?: string[] }
    const names = instancePath === '' ? requiredProperties : [instancePath.slice(1)]
    // For a union, each branch reports an error. The last one wins.
    for (const name of names) faults.set(name, faultOf(name, converted[name], message))
  }
  for (const name of brokenNumbers(env)) faults.set(name, `${name}: must be a whole number`)
  for (const [name, fault] of unread) faults.set(name, fault)
  return { values: converted as Static<typeof Environment>, faults: [...faults.values(), ...urlFaults(converted)] }
}

/** Loads only the database and storage settings, for restoring a backup. @throws {ConfigError} */
export function loadRestoreConfig(env: NodeJS.ProcessEnv = process.env) {
  const { values, faults } = readEnvironment(env)
  const own = faults.filter((fault) => /^(DATABASE_URL|S3_\w+|STORAGE_DIR)(_FILE)?:/.test(fault))
  if (own.length > 0) throw new ConfigError(own)
  return { databaseUrl: values.DATABASE_URL, ...storageOf(values) }
}

/** Settings of the model that writes summaries. Without them, summaries are generated by rules. */
function aiOf(values: Static<typeof Environment>) {
  if (values.AI_BASE_URL === undefined || values.AI_MODEL === undefined) return undefined
  return Object.freeze({
    baseUrl: values.AI_BASE_URL,
    apiKey: values.AI_API_KEY,
    model: values.AI_MODEL,
    timeoutMs: values.AI_TIMEOUT_MS,
  })
}

/** Publicly known secrets: the one in this file, and the one that earlier versions of compose.yaml set. */
const developmentSecret = 'lanewire-development-secret-not-for-production'
const publishedSecrets = new Set([developmentSecret, 'change-this-secret-before-anyone-else-can-reach-it'])
/** Minimum number of distinct characters. A random secret of 32 characters has more in any encoding. */
const secretLettersMin = 8

/** Passwords from older compose.yaml files, .env.example and PostgreSQL's examples. */
const publishedPasswords = new Set(['lanewire', 'password', 'postgres', 'secret', 'changeme'])

/** Checks for guessable secrets. A demo may use a well-known database password. */
function secretFaults({ SESSION_SECRET: secret, DATABASE_URL, DEMO }: Static<typeof Environment>): string[] {
  const faults: string[] = []
  if (secret === undefined) faults.push('SESSION_SECRET: required in production, 32 characters or more')
  else if (publishedSecrets.has(secret))
    faults.push('SESSION_SECRET: this one is published with Lanewire; make your own with: openssl rand -base64 48')
  else if (new Set(secret).size < secretLettersMin)
    faults.push('SESSION_SECRET: too easy to guess; make one with: openssl rand -base64 48')
  const password = DATABASE_URL === undefined ? '' : (readUrl(DATABASE_URL)?.password ?? '')
  if (DEMO !== 'on' && publishedPasswords.has(password.toLowerCase()))
    faults.push(
      'DATABASE_URL: its password is published with Lanewire; change it, for example to the output of: openssl rand -hex 24',
    )
  return faults
}

const stripeKeys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const

/** Requires all of Stripe's keys or none; none only without billing or in a demo, which uses the stand-in. */
function paymentFaults(values: Static<typeof Environment>): string[] {
  if (values.BILLING === 'off') return []
  const missing = stripeKeys.filter((name) => values[name] === undefined)
  if (missing.length === stripeKeys.length)
    return values.DEMO === 'on'
      ? []
      : [`${stripeKeys.join(', ')}: required in production, unless BILLING=off or, to try it with test cards, DEMO=on`]
  return missing.map((name) => `${name}: required together with the other Stripe keys`)
}

function backupsOf(values: Static<typeof Environment>) {
  return Object.freeze({
    /** UTC hour of the daily backup; undefined if there is none. */
    hour: values.BACKUP_HOUR_UTC === 'off' ? undefined : Number(values.BACKUP_HOUR_UTC),
    kept: values.BACKUPS_KEPT,
    /** True if verified backups move from the disk to the uploads bucket. */
    inBucket: values.BACKUPS_IN === 'bucket',
    uploads: values.BACKUP_UPLOADS === 'on',
    /** Path of pg_dump; undefined for the one of Debian's package or Lanewire's own. */
    pgDump: values.PG_DUMP,
  })
}

/** Domain of the example addresses, reserved by RFC 2606, section 3. */
const publishedDomain = /@(?:.+\.)?lanewire\.example$/i

const addressIn = (sender: string): string => /<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender

/** Checks the mail settings. A demo writes mail to files and needs none. */
function mailFaults({ SMTP_URL, MAIL_FROM, MAIL_SUPPORT, DEMO }: Static<typeof Environment>): string[] {
  if (DEMO === 'on') return []
  const faults: string[] = []
  if (SMTP_URL === undefined)
    faults.push('SMTP_URL: required in production: without it mail goes to files, which only a demo (DEMO=on) may do')
  const sender = addressIn(MAIL_FROM)
  if (!isEmail(sender)) faults.push('MAIL_FROM: must be an email address, or a name with one: Name <name@domain>')
  else if (publishedDomain.test(sender))
    faults.push(
      'MAIL_FROM: required in production: an address that your mail server may send from; lanewire.example is a placeholder',
    )
  if (publishedDomain.test(MAIL_SUPPORT))
    faults.push(
      'MAIL_SUPPORT: required in production: an address that someone reads, since contact messages go there; lanewire.example is a placeholder',
    )
  return faults
}

function productionFaults(values: Static<typeof Environment>): string[] {
  const faults = [...secretFaults(values), ...paymentFaults(values)]
  if (values.PUBLIC_URL === undefined) faults.push('PUBLIC_URL: required in production')
  faults.push(...mailFaults(values))
  if (values.FETCH_PRIVATE_HOSTS !== undefined) faults.push('FETCH_PRIVATE_HOSTS: may not be set in production')
  if (values.RATE_LIMITS === 'off') faults.push('RATE_LIMITS: may not be off in production')
  return faults
}

/** True for a value in the form of the `Origin` header. A trailing slash is allowed. */
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

/** Reports partly configured groups, which would otherwise be ignored silently. */
function halfFaults(values: Static<typeof Environment>): string[] {
  return together.flatMap(({ needed, beside }) => {
    const given = beside.filter((name) => values[name] !== undefined)
    if (given.length === 0) return []
    const missing = needed.filter((name) => values[name] === undefined)
    return missing.map((name) => `${name}: required beside ${given.join(', ')}`)
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
    faults.push('S3_BUCKET: required beside BACKUPS_IN=bucket')
  if (values.REDIS_SENTINELS !== undefined && readSentinels(values.REDIS_SENTINELS) === undefined)
    faults.push('REDIS_SENTINELS: must be hosts with their ports, host:port, with a comma between')
  if (values.PUBLIC_URL !== undefined && !isOrigin(values.PUBLIC_URL))
    faults.push('PUBLIC_URL: must be an origin: https://, then the host in lower case, and no path')
  if (values.NODE_ENV === 'production') faults.push(...productionFaults(values))
  const trustProxy = readTrust(values.TRUST_PROXY)
  if (trustProxy === undefined)
    faults.push(`TRUST_PROXY: must be off, on, a number of balancers up to ${hopsMax}, or a list of networks`)
  if (trustProxy === undefined || faults.length > 0) throw new ConfigError(faults)
  return { values, trustProxy }
}

const wordsOf = (list = ''): string[] => list.split(',').filter((word) => word !== '')

/** Reads and validates the environment and returns a frozen object. @throws {ConfigError} that lists all errors */
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
    /** Absolute origin without a trailing slash. If undefined, the host of the request is used. */
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, ''),
    /** Proxies whose `X-Forwarded-*` headers are trusted. */
    trustProxy,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    databaseConnectMs: values.DATABASE_CONNECT_MS,
    redisUrl: values.REDIS_URL,
    /** With sentinels, REDIS_URL only provides the credentials. */
    redisSentinels: sentinelsOf(values),
    redisPrefix: values.REDIS_PREFIX,
    /**
     * Signs upload URLs and mail tokens, and encrypts the secrets of authenticator apps. Sessions do not depend on it.
     */
    secret: values.SESSION_SECRET ?? developmentSecret,
    /** `info` logs every request, which is too much for development. */
    logLevel: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    dataDir: values.DATA_DIR,
    ...storageOf(values),
    /** True if dealers pay for plans. Without billing, every dealer has the features of the Premium Plan. */
    billing: values.BILLING !== 'off',
    stripe: Object.freeze({
      secretKey: values.STRIPE_SECRET_KEY,
      publishableKey: values.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: values.STRIPE_WEBHOOK_SECRET,
      apiUrl: values.STRIPE_API_URL,
      /** URL of the stand-in that all processes of a demo share, and the URL that it sends webhooks to. */
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
    /** Local `host:port` pairs that spreadsheet links may point to, for development and tests. */
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
