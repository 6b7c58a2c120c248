import type { Test } from 'tap'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import { type Caller, startApp } from './app.ts'
import { execute, testServices, type TestServices } from './services.ts'
import { until } from './wait.ts'

/** Deletes most postal places, which make up most of an empty database, so that dumps and restores are faster. */
export async function smallServices(t: Test): Promise<TestServices> {
  const services = await testServices(t)
  // Skip the foreign key check, which would run once for every deleted place.
  await execute(
    `set session_replication_role = replica; delete from postal_places where id > 100`,
    services.DATABASE_URL,
  )
  return services
}

export const startSmall = async (t: Test, env: Record<string, string> = {}, services?: TestServices) =>
  startApp(t, env, services ?? (await smallServices(t)))

export async function backUp(admin: Caller): Promise<Backup> {
  const { status, body } = await admin.post<Backup>('/api/admin/backups')
  if (status !== 202) throw new Error(`the backup was refused: ${status}`)
  return endOf(admin, body)
}

export const endOf = (admin: Caller, { id }: Pick<Backup, 'id'>): Promise<Backup> =>
  until('the end of the backup', async () => {
    const { status, body } = await admin.get<Backups>('/api/admin/backups')
    return status === 200 ? body.backups.find((one) => one.id === id && one.state !== 'running') : undefined
  })
