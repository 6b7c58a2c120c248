import type { NetworkChange, NetworkSettings } from '#shared/schemas/admin.ts'
import type { Config } from '#server/config/config.ts'
import { conflict } from '#server/errors.ts'
import { type By, difference, recordAct } from '#server/features/audit/audit.service.ts'
import { endSessions } from '#server/features/auth/auth-sessions.service.ts'
import type { Site } from '#server/features/auth/second-factor/passkeys.service.ts'
import { checkProof } from '#server/features/auth/second-factor/proof.service.ts'
import { storedBuyFee, toBuyFee } from '#server/features/dealers/buy-fee.rows.ts'
import {
  findNetworkSettings,
  listStaffWithoutFactor,
  type StoredSettings,
  updateNetworkSettings,
} from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'

const shownSettings = (
  config: Config,
  {
    joining,
    confirmedOnly,
    verifiedOnly,
    planRequired,
    demoPaused,
    staffSecondFactor,
    stopAfterCancels,
    ...fee
  }: StoredSettings,
): NetworkSettings => ({
  joining,
  confirmedOnly,
  verifiedOnly,
  planRequired,
  buyFee: toBuyFee(fee),
  stopAfterCancels,
  staffSecondFactor: staffSecondFactor ?? config.staffSecondFactor,
  ...(config.demoDirector && { demoPaused }),
})

/** Returns the network's settings. `staffSecondFactor` has the value of the server's configuration until an admin changes it. */
export const networkSettings = async ({ db, config }: Context): Promise<NetworkSettings> =>
  shownSettings(config, await findNetworkSettings(db))

/** @throws 403 without proof of identity if `staffSecondFactor` would change; 409 if this would lock out the admin */
export async function changeNetworkSettings(
  ctx: Context,
  by: By,
  { proof, staffSecondFactor, buyFee, ...others }: NetworkChange,
  site: Site,
): Promise<NetworkSettings> {
  const known = await networkSettings(ctx)
  const rule = staffSecondFactor === known.staffSecondFactor ? undefined : staffSecondFactor
  const fee = buyFee === undefined ? undefined : storedBuyFee(buyFee)
  const asked = { ...others, ...(rule !== undefined && { staffSecondFactor: rule }) }
  const wanted = { ...asked, ...fee }
  const proven = rule === undefined ? undefined : await checkProof(ctx, by.actor, { proof, site })
  const edit = async (tx: Tx, emit: Emit) => {
    const stored = await findNetworkSettings(tx)
    const { before, after, changed } = difference(
      { ...stored, staffSecondFactor: known.staffSecondFactor, buyFee: toBuyFee(stored) },
      { ...asked, ...(fee && { buyFee: toBuyFee(fee) }) },
    )
    if (!changed) return stored
    const next = { ...stored, ...wanted }
    await updateNetworkSettings(tx, wanted)
    if (rule === true) for (const id of await listStaffWithoutFactor(tx)) await endSessions(tx, emit, id)
    await recordAct(tx, by, { action: 'network.edit', subject: { kind: 'network', id: 'network' }, before, after })
    return next
  }
  const settings = await (proven?.change(async (tx, emit, { secondFactorAt }) => {
    if (rule && secondFactorAt === null)
      throw conflict('Set up your own second factor under Settings first, or you would be locked out')
    return edit(tx, emit)
  }) ?? ctx.transact(edit))
  return shownSettings(ctx.config, settings)
}
