import { type LastingThread, openThread, programBeside } from '#server/platform/jobs/threads.ts'
import type { Paper } from './paper-text.ts'
import type { PaperCalls } from './paper-thread.ts'

/** Started when the first document is rendered, because most processes never render a document. */
let thread: LastingThread<PaperCalls> | undefined

/** Renders a PDF in a worker thread, because loading fonts blocks for up to 0.2 s. @throws if rendering fails */
export async function drawInThread(paper: Paper): Promise<Buffer> {
  thread ??= openThread<PaperCalls>(programBeside(import.meta.url, 'paper-thread'), () => void (thread = undefined))
  return Buffer.from(await thread.call('draw', paper))
}
