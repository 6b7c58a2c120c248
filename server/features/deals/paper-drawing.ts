import { type LastingThread, openThread, programBeside } from '#server/platform/threads.ts'
import type { Paper } from './deal-pdf.ts'
import type { PaperCalls } from './paper-thread.ts'

/** Opened for the first paper: most processes never draw one. */
let thread: LastingThread<PaperCalls> | undefined

/**
 * The PDF of a paper, drawn in a thread of its own: reading the faces alone would keep everybody else waiting for up to a fifth of a second.
 * @throws why it could not be drawn; the next paper has a new thread where that has ended
 */
export async function drawApart(paper: Paper): Promise<Buffer> {
  thread ??= openThread<PaperCalls>(programBeside(import.meta.url, 'paper-thread'), () => void (thread = undefined))
  return Buffer.from(await thread.call('draw', paper))
}
