import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { emailPattern } from '#shared/email.ts'
import { withSecretFiles } from './secrets.ts'

const OnOff = Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'on or off' })
const url = (...protocols: string[]) =>
  Type.String({
    pattern: `^(${protocols.join('|')})://`,
    description: `a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  })

/** Every environment variable that the server reads. Each description completes the error message "must be …". */
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

const knownVariables = Object.keys(Environment.properties) as (keyof typeof Environment.properties)[]

/** Parses a URL. Like PostgreSQL's client, accepts a URL without a host after `@`. Returns undefined if the URL is invalid. */
export const readUrl = (text: string): URL | undefined => {
  const whole = text.replace('@/', '@localhost/')
  return URL.canParse(whole) ? new URL(whole) : undefined
}

/** Typebox's own types lack these JSON Schema fields. */
const schemas = Environment.properties as Record<string, object> as Record<
  string,
  { type?: string; description?: string; pattern?: string }
>

/** Describes the expected value. Never contains the actual value, which may hold a password. */
function faultOf(name: string, value: unknown, message: string): string {
  if (value === undefined) return `${name}: required`
  const { description } = schemas[name] ?? {}
  return `${name}: ${description === undefined ? message : `must be ${description}`}`
}

/** Reports URLs that begin correctly but cannot be parsed, usually because of a special character in a password. */
function urlFaults(values: Record<string, unknown>): string[] {
  return Object.entries(schemas).flatMap(([name, { pattern = '' }]) => {
    const value = values[name]
    // config.ts checks PUBLIC_URL more strictly.
    if (typeof value !== 'string' || !pattern.endsWith('://') || name === 'PUBLIC_URL') return []
    if (!new RegExp(pattern).test(value)) return []
    const url = readUrl(value)
    if (url !== undefined && (url.hostname !== '' || !value.startsWith('smtp'))) return []
    return `${name}: has no readable host; in a user name or password write / as %2F, # as %23, ? as %3F, @ as %40, : as %3A`
  })
}

/** Finds integer settings that are not whole numbers. Typebox would round them: 5.5 becomes 5. */
const brokenNumbers = (env: NodeJS.ProcessEnv): string[] =>
  knownVariables.filter((name) => schemas[name]?.type === 'integer' && env[name] && !/^-?\d+$/.test(env[name]))

export function readEnvironment(given: NodeJS.ProcessEnv): { values: Static<typeof Environment>; faults: string[] } {
  const { env, faults: unread } = withSecretFiles(given)
  const picked = Object.fromEntries(knownVariables.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const converted = Value.Convert(Environment, Value.Default(Environment, picked)) as Record<string, unknown>
  const faults = new Map<string, string>()
  for (const { instancePath, params, message } of Value.Errors(Environment, converted)) {
    const { requiredProperties = [] } = params as { requiredProperties?: string[] }
    const names = instancePath === '' ? requiredProperties : [instancePath.slice(1)]
    // A union reports one error per branch. Keep only the last one.
    for (const name of names) faults.set(name, faultOf(name, converted[name], message))
  }
  for (const name of brokenNumbers(env)) faults.set(name, `${name}: must be a whole number`)
  for (const [name, fault] of unread) faults.set(name, fault)
  return { values: converted as Static<typeof Environment>, faults: [...faults.values(), ...urlFaults(converted)] }
}
