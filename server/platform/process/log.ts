import { pino, stdSerializers, type Logger } from 'pino'
import type { Config } from '#server/config/config.ts'

/** Never log cookies, credentials or bodies. Paths use pino's redaction syntax. */
const redact = [
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
  '*.password',
  '*.cardNumber',
  '*.cvv',
]

/** Error fields that are safe to log. Other fields may hold statements, commands or whole responses. */
const loggedErrorFields = new Set('code table column constraint routine statusCode syscall address port'.split(' '))

function err(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const fields = Object.entries(error).filter(([name]) => loggedErrorFields.has(name))
  return { type, message, stack, ...Object.fromEntries(fields) }
}

const forPeople = { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } }

export function createLogger(config: Config): Logger {
  // A transport starts a thread, which is not worth it for almost no output.
  const asIs = config.production || config.logLevel === 'silent' || config.logLevel === 'fatal'
  return pino({ level: config.logLevel, redact, serializers: { err }, ...(!asIs && { transport: forPeople }) })
}
