import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { execute } from './services.ts'

export async function aRole(t: Test, databaseUrl: string): Promise<{ role: string; url: string }> {
  const [role, password] = [`t_${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')]
  await execute(`create role ${role} login password '${password}'`)
  t.teardown(async () => {
    await execute(`reassign owned by ${role} to current_user; drop owned by ${role}`, databaseUrl)
    await execute(`drop role ${role}`)
  })
  const url = new URL(databaseUrl)
  Object.assign(url, { username: role, password })
  return { role, url: url.href }
}

export const databaseNameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1)
