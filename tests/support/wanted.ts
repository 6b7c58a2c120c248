import type { NewBuyOrder } from '#shared/schemas/wanted.ts'
import type { Caller, TestApp } from './app.ts'
import { until } from './wait.ts'

/** An order for what `aVehicle` is. */
export const aBuyOrder = (about: Partial<NewBuyOrder> = {}): NewBuyOrder => ({
  make: 'Ford',
  model: 'F-150',
  trims: [],
  yearFrom: null,
  yearTo: null,
  milesMax: 60_000,
  near: '',
  within: null,
  drive: null,
  photosOnly: false,
  price: 30_000,
  perMonth: 3,
  days: 30,
  showName: false,
  note: '',
  ...about,
})

/** Where it is about noon: neither a day nor a month ends there while a test runs. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours()
  // Of these names the sign says how far behind.
  return ahead > 0 ? `Etc/GMT-${ahead}` : `Etc/GMT+${-ahead}`
}

/** A dealer who may buy: with a confirmed address. */
export async function buyer(app: TestApp, name: string, about: Parameters<TestApp['signIn']>[1] = {}): Promise<Caller> {
  const caller = await app.signIn(name, about)
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ emailVerifiedAt: new Date() })
    .where('id', '=', caller.id)
    .execute()
  const quietHours = { on: false, from: '22:00', to: '07:00', timeZone: noonZone() }
  const { status } = await caller.patch('/api/settings', { quietHours })
  if (status !== 200) throw new Error(`the time zone was refused: ${status}`)
  return caller
}

/** Whoever looks for what was posted has been told. */
export async function jobsDone(
  { server }: TestApp,
  name: 'find.match' | 'find.begun' | 'find.digest' = 'find.match',
): Promise<void> {
  await until(`${name} to be done`, async () => {
    const rows = await server.ctx.db.selectFrom('outbox').select('id').where('name', '=', name).execute()
    return rows.length === 0
  })
}
