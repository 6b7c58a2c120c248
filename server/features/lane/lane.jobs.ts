import type { Schedule } from '#server/platform/jobs/jobs.ts'
import { removeOldPins } from './lane.repository.ts'

const pinsEveryMs = 3_600_000

export const laneSchedules: Schedule[] = [
  { name: 'lane.oldPins', everyMs: pinsEveryMs, run: async ({ db }) => removeOldPins(db) },
]
