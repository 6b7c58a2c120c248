import { pino, stdSerializers, type Logger } from 'pino'
import type { Config } from '#server/config/config.ts'

/** The log must never contain cookies, credentials or bodies. */
const redact = [
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
  '*.password',
  '*.cardNumber',
  '*.cvv',
]

/** Only these fields of an error are logged. Other fields may hold statements, commands or whole responses. */
const loggedErrorFields = new Set('code table column constraint routine statusCode syscall address port'.split(' '))

function err(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const fields = Object.entries(error).filter(([name]) => loggedErrorFields.has(name))
  return { type, message, stack, ...Object.fromEntries(fields) }
}

const prettyTransport = { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } }

export function createLogger(config: Config): Logger {
  // In production, write plain JSON. Also write it if there is almost no output, because pretty printing starts a thread.
  const asIs = config.production || config.logLevel === 'silent' || config.logLevel === 'fatal'
  return pino({ level: config.logLevel, redact, serializers: { err }, ...(!asIs && { transport: prettyTransport }) })
}
