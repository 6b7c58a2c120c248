import { tickerLines, type TickerLine } from '#shared/schemas/site.ts'
import type { Context } from '#server/platform/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { listTicker, type TickerRow } from './ticker.repository.ts'

const makesNamed = 2

/** The order of the kinds down the list; where one has run out, what is for sale takes its place. */
const order: readonly TickerRow['kind'][] = ['live', 'sold', 'active', 'live', 'sold']

/** What is going on in the network, fit for anybody to read: no names, no links, no words that a dealer typed. */
export async function listTickerLines(ctx: Pick<Context, 'db'>): Promise<TickerLine[]> {
  const rows = await listTicker(ctx.db, tickerLines)
  const waiting = (kind: TickerRow['kind']) => rows.filter((row) => row.kind === kind)
  const queues = { live: waiting('live'), active: waiting('active'), sold: waiting('sold') }
  const next = (kind: TickerRow['kind']) => queues[kind].shift() ?? queues.active.shift()
  return order.flatMap((kind) => next(kind) ?? []).map(toLine)
}

function toLine(row: TickerRow): TickerLine {
  return {
    kind: row.kind,
    vehicle: vehicleWords(row),
    place: [row.city, row.state].filter(Boolean).join(', '),
    amount: row.amountCents === null ? null : dollarsOf(row.amountCents),
    bids: row.bidCount,
  }
}

function vehicleWords({ vehicleCount, year, make, model, trim, makes }: TickerRow): string {
  if (vehicleCount === 1) return [year, make, model, trim].filter(Boolean).join(' ') || 'One vehicle'
  const named = makes.slice(0, makesNamed).join(', ')
  return named === '' ? `${vehicleCount} vehicles` : `${vehicleCount} vehicles: ${named}`
}
