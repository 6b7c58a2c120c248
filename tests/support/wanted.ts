import type { NewBuyOrder } from '#shared/schemas/wanted.ts'
import type { Caller, TestApp } from './app.ts'
import { setNoonZone } from './one-day.ts'
import { until } from './wait.ts'

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

/** Signs in a dealer with a confirmed email address, which buying requires, and a time zone where it is about noon. */
export async function buyer(app: TestApp, name: string, about: Parameters<TestApp['signIn']>[1] = {}): Promise<Caller> {
  const caller = await app.signIn(name, about)
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ emailVerifiedAt: new Date() })
    .where('id', '=', caller.id)
    .execute()
  await setNoonZone(caller)
  return caller
}

export async function jobsDone(
  { server }: TestApp,
  name: 'find.match' | 'find.begun' | 'find.digest' = 'find.match',
): Promise<void> {
  await until(`${name} to be done`, async () => {
    const rows = await server.ctx.db.selectFrom('outbox').select('id').where('name', '=', name).execute()
    return rows.length === 0
  })
}
