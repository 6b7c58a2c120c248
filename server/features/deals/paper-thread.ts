import { serveCalls } from '#server/platform/jobs/threads.ts'
import { drawPaper } from './deal-pdf.ts'

const calls = { draw: drawPaper }
export type PaperCalls = typeof calls

serveCalls(calls)
