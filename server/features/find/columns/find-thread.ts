import { lowerPriority, serveCalls } from '#server/platform/jobs/threads.ts'
import { Columns } from './table.ts'
import { scan } from './scan.ts'
import type { FindRequest } from './search-format.ts'

const columns = new Columns()
const held = () => ({ vehicles: columns.vehicles, bytes: columns.bytes + process.memoryUsage().heapUsed })

/** Calls that the Find thread answers. `lines` has the format of lines.repository.ts. */
const calls = {
  vehicles(lines: string) {
    columns.write(lines)
    return held()
  },
  sellers(lines: string) {
    columns.writeSellers(lines)
    return held()
  },
  places(lines: string) {
    columns.writePlaces(lines)
    return held()
  },
  ask: (asked: FindRequest) => scan(columns, asked),
}
export type FindCalls = typeof calls

lowerPriority()
serveCalls(calls)
