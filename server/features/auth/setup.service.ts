import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JoiningStatus, Setup } from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { Config } from '#server/config/config.ts'
import { AppError, conflict } from '#server/errors.ts'
import { recordAct } from '#server/features/audit/audit.service.ts'
import { joiningOf } from '#server/features/dealers/admission.service.ts'
import { toCurrentUser } from '#server/features/dealers/dealers.rows.ts'
import { insertDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Db } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import { findSalt, isWithoutAdmin, lockFirstAdmin, markFirstAdmin } from './setup.repository.ts'
import { assertGoodPassword, hashPassword } from './passwords.ts'

/** This limit makes guessing the token's 100 bits infeasible. */
const tries: Limit = { name: 'setup', max: 10, seconds: 60 }

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const tokenLength = 20
const groupLength = 5

/** All processes compute the same token. Neither the server's secret nor the database row alone reveals it. */
function tokenOf(config: Config, salt: Buffer): string {
  const bytes = createHmac('sha256', config.secret).update('first admin').update(salt).digest()
  const signs = [...bytes.subarray(0, tokenLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return signs.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? signs
}

function isToken(wanted: string, typed: string): boolean {
  const plain = (token: string) => Buffer.from(token.toUpperCase().replace(/[^A-Z0-9]/g, ''))
  const [a, b] = [plain(wanted), plain(typed)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the setup instructions for the server log, or undefined if there already is an admin. */
export async function setupText(ctx: Pick<Context, 'db' | 'config'>): Promise<string | undefined> {
  if (!(await isWithoutAdmin(ctx.db))) return undefined
  const token = tokenOf(ctx.config, await findSalt(ctx.db))
  return [
    'This network has no admin yet. Create the first one at',
    `  ${publicLink(ctx.config, `/setup#token=${token}`)}`,
    `or open /setup and type the token ${token}. It works until there is an admin.`,
  ].join('\n')
}

export const needsSetup = (db: Db): Promise<boolean> => isWithoutAdmin(db)

export async function joiningStatus({ db }: Context): Promise<JoiningStatus> {
  const [joining, withoutAdmin] = await Promise.all([joiningOf(db), isWithoutAdmin(db)])
  return { joining, needsSetup: withoutAdmin }
}

const setUpAlready = () => new AppError(404, 'not_found', 'This network is already set up')

/** @throws 404 if there is an admin; 403 if the token is wrong; 400 if the password is too short or common; 409 if the email is taken */
export async function setUp(
  ctx: Context,
  input: Setup,
  at: { address: string; requestId: string },
): Promise<CurrentUser> {
  await ctx.limiter.consume(tries, at.address)
  if (!(await isWithoutAdmin(ctx.db))) throw setUpAlready()
  if (!isToken(tokenOf(ctx.config, await findSalt(ctx.db)), input.token))
    throw new AppError(403, 'forbidden', 'This token does not match the one the server printed at startup', {
      fields: ['token'],
    })
  const { email, password, name, dealershipName } = input
  assertGoodPassword(password, email)
  const passwordHash = await hashPassword(password)
  try {
    return await ctx.transact(async (tx, emit) => {
      await lockFirstAdmin(tx)
      if (!(await isWithoutAdmin(tx))) throw setUpAlready()
      const admin = await insertDealer(tx, { email, passwordHash, name, dealershipName, role: 'admin' })
      await markFirstAdmin(tx)
      await emit.job('mail.verify', { dealerId: admin.id })
      await recordAct(
        tx,
        { actor: { dealerId: admin.id, name }, requestId: at.requestId },
        { action: 'network.setUp', subject: { kind: 'user', id: admin.id, name }, after: { role: 'admin' } },
      )
      return toCurrentUser(admin)
    })
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key')
      throw conflict('An account with this email already exists. Run `npm run admin` to make it an admin', {
        fields: ['email'],
      })
    throw error
  }
}
