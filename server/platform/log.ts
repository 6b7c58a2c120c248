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

export function createLogger(config: Config): Logger {
  return pino({
    level: config.logLevel,
    redact,
    ...(config.production
      ? {}
      : { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } } }),
  })
}
