import { unavailable } from '#server/errors.ts'
import { createThreads, programBeside, ThreadEnded, ThreadsBusy } from '#server/platform/jobs/threads.ts'
import { SheetRefused } from './sheet-bounds.ts'
import type { SheetOrder } from './sheet-reader.ts'
import type { SheetContent } from './sheet-rows.ts'
import type { SheetAnswer } from './sheet-thread.ts'

const deadlineMs = 5_000

const threads = createThreads<SheetOrder, SheetAnswer>({
  program: programBeside(import.meta.url, 'sheet-thread'),
  atOnce: 2,
  waitingMax: 8,
  deadlineMs,
  heapMaxMb: 128,
})

const limitErrors = {
  time: `The spreadsheet could not be read within ${deadlineMs / 1_000} s. Split it into smaller ones`,
  memory: 'The spreadsheet takes too much memory to read. Split it into smaller ones',
}

/** Reads a spreadsheet in a worker thread. Jobs pass `isBackground` to wait for one. @throws SheetRefused; 503 if too many requests wait */
export async function readInThread(order: SheetOrder, options?: { isBackground: boolean }): Promise<SheetContent> {
  try {
    const answer = await threads.run(order, options)
    if ('refused' in answer) throw new SheetRefused(answer.refused)
    return answer
  } catch (error) {
    if (error instanceof ThreadEnded) throw new SheetRefused(limitErrors[error.tookTooMuch])
    if (error instanceof ThreadsBusy)
      throw unavailable('Many spreadsheets are being read right now. Try again in a moment')
    throw error
  }
}
