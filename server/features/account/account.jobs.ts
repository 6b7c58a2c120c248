import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import type { AccountJobs } from './account.events.ts'
import { failExport, makeExport, sweepExports } from './export.service.ts'

export const accountJobs: JobHandlers<AccountJobs> = {
  'export.make': {
    queue: 'default',
    handle: (ctx, { exportId }, run) => makeExport(ctx, exportId, run),
    gaveUp: (tx, emit, { exportId }) => failExport(tx, emit, exportId),
  },
}

const hourMs = 3_600_000

export const accountSchedules: Schedule[] = [{ name: 'exports.sweep', everyMs: hourMs, run: sweepExports }]
