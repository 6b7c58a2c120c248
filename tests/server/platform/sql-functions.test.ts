import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { test } from 'tap'
import { settingsOf } from '#shared/settings-defaults.ts'
import { durableEvents } from '#server/events.ts'
import { liveStatuses } from '#server/features/entitlements/plan-statuses.ts'

async function readFunctions(): Promise<Map<string, string>> {
  const names = (await readdir('server', { recursive: true })).filter((name) => name.endsWith('.sql'))
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join('server', name), 'utf8')] as const)),
  )
}

const partsOf = (text: string | undefined, pattern: RegExp) =>
  [...(text ?? '').matchAll(pattern)].map(([, part]) => part)

test('stores events in functions that are delivered after a crash', async () => {
  const stored = partsOf([...(await readFunctions()).values()].join('\n'), /values \('event', '([^']+)'/g)
  t.same(stored.toSorted(), ['auction.changed', 'message.sent'])
  t.same(
    stored.filter((name) => !durableEvents.some((durable) => durable === name)),
    [],
  )
})

test('uses the same constants in SQL functions as in TypeScript', async () => {
  const functions = await readFunctions()
  const bids = functions.get('features/auctions/place-bids.sql')
  const day = functions.get('features/auctions/day-use.sql')
  const live = liveStatuses.map((status) => `'${status}'`).join(', ')
  t.same(partsOf(bids, /subscriptions\.status in \((.+)\)/g), [live], 'as the index has it by which one is found')
  t.match(await readFile('server/db/migrations/0002-billing.ts', 'utf8'), `where status in (${live});`)
  const { quietHours, lane } = settingsOf({})
  t.same(new Set(partsOf(day, /'(\w+\/\w+)'/g)), new Set([quietHours.timeZone]))
  t.same(
    new Set(partsOf(`${bids}${day}`, /\{lane,(\w+)\}/g)),
    new Set(Object.keys(lane).filter((key) => key === 'dayLimit')),
  )
})
