import type { JobHandlers } from '#server/platform/jobs.ts'
import type { SpreadsheetJobs } from './posting.events.ts'
import { giveUpImport, importSheet } from './spreadsheets.service.ts'

export const spreadsheetsJobs: JobHandlers<SpreadsheetJobs> = {
  'sheet.import': {
    queue: 'default',
    handle: (ctx, { postId }, run) => importSheet(ctx, postId, run),
    gaveUp: (tx, emit, { postId }) => giveUpImport(tx, emit, postId),
  },
}
