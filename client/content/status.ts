import type { StatusServiceKey } from '#shared/schemas/ops.ts'

/** `documentedUptime` is shown only on a demo network, and only until there are real measurements. */
export const statusServices: readonly {
  key: StatusServiceKey
  name: string
  about: string
  documentedUptime: number
}[] = [
  {
    key: 'platform',
    name: 'Dealer Platform',
    about: 'Feed, posts, directory and public pages',
    documentedUptime: 99.98,
  },
  { key: 'messaging', name: 'Messaging System', about: 'Live connection and conversations', documentedUptime: 99.97 },
  { key: 'ai', name: 'AI Services', about: 'Summaries and other background work', documentedUptime: 99.95 },
  { key: 'auth', name: 'Authentication', about: 'Sign-in and sessions', documentedUptime: 99.99 },
  { key: 'database', name: 'Database', about: 'Where everything is stored', documentedUptime: 99.99 },
]
