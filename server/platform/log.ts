import { pino, type Logger } from 'pino'
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

const forPeople = { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } }

export function createLogger(config: Config): Logger {
  // A transport is a thread of its own: not for saying next to nothing.
  const asIs = config.production || config.logLevel === 'silent' || config.logLevel === 'fatal'
  return pino({ level: config.logLevel, redact, ...(!asIs && { transport: forPeople }) })
}
