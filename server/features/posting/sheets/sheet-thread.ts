import { serveThread } from '#server/platform/jobs/threads.ts'
import { SheetRefused } from './sheet-bounds.ts'
import { readSheet, type SheetOrder } from './sheet-reader.ts'
import type { SheetContent } from './sheet-rows.ts'

/** A SheetRefused is sent as data, because errors lose their class when they cross threads. */
export type SheetAnswer = SheetContent | { refused: string }

serveThread((order: SheetOrder): Promise<SheetAnswer> =>
  readSheet(order).catch((error: unknown) => {
    if (error instanceof SheetRefused) return { refused: error.message }
    throw error
  }),
)
