import type { NewBuyOrder } from '#shared/schemas/wanted.ts'
import type { Caller, TestApp } from './app.ts'
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

/** Returns a time zone where it is about noon, so that no day or month ends during a test. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours()
  // POSIX inverts the sign: Etc/GMT-5 is five hours ahead of UTC.
  return ahead > 0 ? `Etc/GMT-${ahead}` : `Etc/GMT+${-ahead}`
}

/** Signs in a dealer with a confirmed email address, which buying requires, and a time zone where it is about noon. */
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

export async function jobsDone(
  { server }: TestApp,
  name: 'find.match' | 'find.begun' | 'find.digest' = 'find.match',
): Promise<void> {
  await until(`${name} to be done`, async () => {
    const rows = await server.ctx.db.selectFrom('outbox').select('id').where('name', '=', name).execute()
    return rows.length === 0
  })
}
