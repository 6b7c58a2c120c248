import type { Seeder } from './seeder.ts'

const dayMs = 24 * 3_600_000
const minuteMs = 60_000

const incidents = [
  {
    title: 'Delayed AI summaries',
    text: 'Summaries of new posts appeared with a delay while a background worker was being replaced. Posting itself was not affected, and all summaries were written afterwards.',
    planned: false,
    daysAgo: 46,
    minutes: 42,
  },
  {
    title: 'Planned database maintenance',
    text: 'The database was moved to a new version at night. Pages stayed readable, and changes were refused with a notice for part of the window.',
    planned: true,
    daysAgo: 64,
    minutes: 18,
  },
] as const

export const seedIncidents: Seeder = async (tx, _network, now) => {
  const rows = incidents.map(({ daysAgo, minutes, ...incident }) => {
    const startedAt = new Date(now.getTime() - daysAgo * dayMs)
    const endedAt = new Date(startedAt.getTime() + minutes * minuteMs)
    return { ...incident, startedAt, endedAt, createdAt: startedAt, updatedAt: endedAt }
  })
  await tx.insertInto('incidents').values(rows).execute()
}
