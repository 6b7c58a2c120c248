import type { StatusServiceKey } from '#shared/schemas/ops.ts'

/** The five services with the documented uptime, shown only until there are samples of our own. */
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

/** The two past incidents. `state` is one of the documented badges. */
export const pastIncidents = [
  {
    title: 'Delayed AI summaries',
    date: '2026-10-08',
    state: 'resolved',
    duration: '42 minutes',
    text: 'Summaries of new posts appeared with a delay while a background worker was being replaced. Posting itself was not affected, and all summaries were written afterwards.',
  },
  {
    title: 'Planned database maintenance',
    date: '2026-09-20',
    state: 'completed',
    duration: '18 minutes',
    text: 'The database was moved to a new version at night. Pages stayed readable, and changes were refused with a notice for part of the window.',
  },
] as const
