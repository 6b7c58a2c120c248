import type { Test } from 'tap'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import { type Caller, startApp } from './app.ts'
import { execute, testServices, type TestServices } from './services.ts'
import { until } from './wait.ts'

/** A database of a network that knows few places, which are most of the rows of an empty one: it is dumped and restored fast. */
export async function smallServices(t: Test): Promise<TestServices> {
  const services = await testServices(t)
  // Without the foreign key, which PostgreSQL would look up for each of the places.
  await execute(
    `set session_replication_role = replica; delete from postal_places where id > 100`,
    services.DATABASE_URL,
  )
  return services
}

export const startSmall = async (t: Test, env: Record<string, string> = {}, services?: TestServices) =>
  startApp(t, env, services ?? (await smallServices(t)))

/** Starts a backup and waits for its end. */
export async function backUp(admin: Caller): Promise<Backup> {
  const { status, body } = await admin.post<Backup>('/api/admin/backups')
  if (status !== 202) throw new Error(`the backup was refused: ${status}`)
  return endOf(admin, body)
}

/** Waits for the end of a backup. What does not answer by then is asked again. */
export const endOf = (admin: Caller, { id }: Pick<Backup, 'id'>): Promise<Backup> =>
  until('the end of the backup', async () => {
    const { status, body } = await admin.get<Backups>('/api/admin/backups')
    return status === 200 ? body.backups.find((one) => one.id === id && one.state !== 'running') : undefined
  })
