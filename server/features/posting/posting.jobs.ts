import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import type { SpreadsheetJobs } from './posting.events.ts'
import { abandonImport, importSheet } from './spreadsheets.service.ts'

export const spreadsheetsJobs: JobHandlers<SpreadsheetJobs> = {
  'sheet.import': {
    queue: 'default',
    handle: (ctx, { postId }, run) => importSheet(ctx, postId, run),
    gaveUp: (tx, emit, { postId }) => abandonImport(tx, emit, postId),
  },
}
