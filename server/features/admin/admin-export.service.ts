import { Readable } from 'node:stream'
import type { AdminUser } from '#shared/schemas/admin.ts'
import { recordAct, type By } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { listUsers } from './users/admin-users.repository.ts'

const batch = 1_000
const columns = [
  'id',
  'name',
  'dealershipName',
  'dealershipType',
  'email',
  'phone',
  'city',
  'state',
  'role',
  'suspendedAt',
  'createdAt',
] as const satisfies (keyof AdminUser)[]

/** Formats a CSV cell. Escapes a leading character that would make a spreadsheet treat the cell as a formula. */
function csvCell(value: string | boolean | null): string {
  const text = value === null ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function* lines(ctx: Context): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  let before: string | undefined
  do {
    const rows = (await listUsers(ctx.db, {}, batch, before)).slice(0, batch)
    yield rows.map((row) => `${columns.map((column) => csvCell(row[column])).join(',')}\r\n`).join('')
    before = rows.length === batch ? rows.at(-1)?.id : undefined
  } while (before)
}

const exportLimit = { name: 'user-export', max: 20, seconds: 3_600 }

/** Streams all accounts as CSV in batches, which keeps memory use constant. */
export async function exportUsers(ctx: Context, by: By): Promise<Readable> {
  await ctx.limiter.consume(exportLimit, by.actor.dealerId)
  await ctx.transact((tx) => recordAct(tx, by, { action: 'user.export', subject: { kind: 'user', id: 'all' } }))
  return Readable.from(lines(ctx))
}
