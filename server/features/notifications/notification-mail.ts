import type { Config } from '#server/config.ts'
import { publicLink, type Mail } from '#server/platform/mail.ts'

/** One notice as itself, several as a digest; each with the address it leads to. */
export function toMail(
  config: Config,
  to: string,
  notices: { title: string; body: string; path: string }[],
): Mail | undefined {
  const [first] = notices
  if (first === undefined) return undefined
  const lines = notices.flatMap(({ title, body, path }) => [
    title,
    ...(body === '' ? [] : [body]),
    publicLink(config, path),
    '',
  ])
  return {
    to,
    subject: notices.length === 1 ? first.title : `${notices.length} updates on Lanewire`,
    text: [...lines, 'You choose what is mailed to you:', publicLink(config, '/settings')].join('\n'),
  }
}
