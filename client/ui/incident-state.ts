import type { Incident } from '#shared/schemas/ops.ts'
import type { BadgeTone } from './badge.tsx'

export function incidentState({ planned, endedAt }: Pick<Incident, 'planned' | 'endedAt'>): {
  label: string
  tone: BadgeTone
} {
  if (endedAt === null) return { label: 'Ongoing', tone: 'warning' }
  return planned ? { label: 'Completed', tone: 'sold' } : { label: 'Resolved', tone: 'success' }
}
