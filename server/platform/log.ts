import { pino, stdSerializers, type Logger } from 'pino'
import type { Config } from '#server/config.ts'

/** Never logged: cookies, credentials, bodies. Paths are pino's redaction syntax. */
const redact = [
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
  '*.password',
  '*.cardNumber',
  '*.cvv',
]

/** What an error may say beside its words. The rest is whatever its maker hung on it: statements, commands, whole answers. */
const toldOfErrors = new Set('code table column constraint routine statusCode syscall address port'.split(' '))

function err(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const told = Object.entries(error).filter(([name]) => toldOfErrors.has(name))
  return { type, message, stack, ...Object.fromEntries(told) }
}

const forPeople = { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } }

export function createLogger(config: Config): Logger {
  // A transport is a thread of its own: not for saying next to nothing.
  const asIs = config.production || config.logLevel === 'silent' || config.logLevel === 'fatal'
  return pino({ level: config.logLevel, redact, serializers: { err }, ...(!asIs && { transport: forPeople }) })
}
