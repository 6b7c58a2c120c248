import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { isEmail } from '#shared/email.ts'
import { refreshFindSellers } from '#server/features/find/refresh-find.service.ts'
import type { Config } from '#server/config/config.ts'
import { migrateToLatest } from '#server/db/migrate.ts'
import { StartFault } from '#server/errors.ts'
import { recordAct } from '#server/features/audit/audit.service.ts'
import { admitted } from '#server/features/dealers/admission.service.ts'
import { findDealerByEmail, insertDealer, lockDealer, updateDealer } from '#server/features/dealers/dealers.service.ts'
import { createBus } from '#server/platform/redis/bus.ts'
import { openDb, openPool, type Tx } from '#server/platform/database/db.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import { createTransact } from '#server/platform/database/transact.ts'
import { isUnproven } from './auth.policy.ts'
import { endSessions } from './auth-sessions.service.ts'
import { dropLinks, issueLink } from './auth-tokens.service.ts'
import { removeSignInMethods } from './sign-in-methods.service.ts'

const linkMinutes = 60

const operator = { dealerId: '00000000-0000-0000-0000-000000000000', name: 'Command line' }

type Account = NonNullable<Awaited<ReturnType<typeof lockDealer>>>

async function findOrInsert(tx: Tx, email: string): Promise<{ account: Account; isNew: boolean }> {
  const known = await findDealerByEmail(tx, email)
  const locked = known && (await lockDealer(tx, known.id))
  if (locked) return { account: locked, isNew: false }
  return { account: await insertDealer(tx, { email, passwordHash: null, role: 'admin' }), isNew: true }
}

/** Removes all ways to sign in. Somebody else may have set them up, because the address was never confirmed. */
async function removeAccess(tx: Tx, id: string): Promise<void> {
  await dropLinks(tx, id)
  await removeSignInMethods(tx, id)
  await updateDealer(tx, id, { passwordHash: null })
}

/** Creates an admin, or promotes and reinstates an existing account. @throws {StartFault} if the email address is invalid */
export async function makeAdmin(config: Config, log: Logger, email: string): Promise<string> {
  if (!isEmail(email)) throw new StartFault(`"${email}" is not an email address`)
  await migrateToLatest(config.databaseUrl)
  const db = openDb(openPool(config.databaseUrl, 1, config.databaseConnectMs))
  // Leave events and jobs in the outbox for the running servers.
  const transact = createTransact(db, createBus(log), { published: () => undefined, dispatch: () => undefined })
  try {
    return await transact(async (tx, emit) => {
      const { account, isNew } = await findOrInsert(tx, email)
      const { id, role, suspendedAt } = account
      const isStrangers = !isNew && isUnproven(account)
      if (isStrangers) await removeAccess(tx, id)
      await updateDealer(tx, id, {
        ...admitted,
        role: 'admin',
        suspendedAt: null,
        suspendedUntil: null,
        suspendedReason: null,
      })
      await refreshFindSellers(tx, [id])
      if (suspendedAt !== null) await emit.job('deal.refresh', { dealerId: id })
      if (role !== 'admin') await endSessions(tx, emit, id)
      const token = await issueLink(tx, 'reset', account, linkMinutes)
      await recordAct(
        tx,
        { actor: operator, requestId: randomUUID() },
        {
          action: 'user.makeAdmin',
          subject: { kind: 'user', id, name: account.name || email },
          ...(!isNew && { before: { role, suspended: suspendedAt !== null } }),
          after: { role: 'admin', passwordLink: true },
        },
      )
      return [
        wordsFor(email, { isNew, isStrangers, wasAdmin: role === 'admin', wasSuspended: suspendedAt !== null }),
        isNew || isStrangers
          ? 'Choose its password here. The link works once, within an hour:'
          : 'If the password is lost, set a new one here. The link works once, within an hour:',
        `  ${publicLink(config, `/reset#token=${token}`)}`,
      ].join('\n')
    })
  } finally {
    await db.destroy()
  }
}

interface Before {
  isNew: boolean
  isStrangers: boolean
  wasAdmin: boolean
  wasSuspended: boolean
}

function promotionOf(email: string, { isStrangers, wasAdmin }: Before): string {
  if (wasAdmin) return `${email} is already an admin.`
  return isStrangers
    ? `${email} is now an admin. Its address was never confirmed, so its password and all other ways to sign in were removed.`
    : `${email} is now an admin and can sign in as before.`
}

function wordsFor(email: string, was: Before): string {
  if (was.isNew) return `${email} is now an admin. The account was created.`
  const words = promotionOf(email, was)
  return was.wasSuspended ? `${words} It was suspended and is now reinstated.` : words
}
