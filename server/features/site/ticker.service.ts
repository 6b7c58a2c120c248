import { formatVehicle } from '#shared/format.ts'
import { tickerLines, type TickerLine } from '#shared/schemas/site.ts'
import type { Context } from '#server/platform/process/context.ts'
import { listTicker, type TickerRow } from './ticker.repository.ts'

/** The kind of each ticker line, in order. If there are too few posts of a kind, an active post fills the slot. */
const order: readonly TickerRow['kind'][] = ['live', 'sold', 'active', 'live', 'sold']

/** Returns the lines of the public ticker, which must not show names, prices or links. */
export async function listTickerLines(ctx: Pick<Context, 'db'>): Promise<TickerLine[]> {
  const rows = await listTicker(ctx.db, tickerLines)
  const waiting = (kind: TickerRow['kind']) => rows.filter((row) => row.kind === kind)
  const queues = { live: waiting('live'), active: waiting('active'), sold: waiting('sold') }
  const next = (kind: TickerRow['kind']) => queues[kind].shift() ?? queues.active.shift()
  return order.flatMap((kind) => next(kind) ?? []).map(toLine)
}

const toLine = ({ kind, year, make, model, state }: TickerRow): TickerLine => ({
  kind,
  vehicle: formatVehicle({ year, make, model }) || 'One vehicle',
  state: state ?? '',
})
