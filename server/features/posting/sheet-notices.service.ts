import { formatNumber, plural } from '#shared/format.ts'
import type { HeldSheet, SheetChanges } from '#shared/schemas/posting.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { SheetComparison } from '#server/features/posts/sheet-vehicles.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'

interface OwnSheet {
  postId: string
  dealerId: string
  title: string
}

export async function notifyFailed(tx: Tx, emit: Emit, sheet: OwnSheet, reason: string): Promise<void> {
  const title = 'Your spreadsheet could not be read'
  await notifyOwner(tx, emit, sheet, { title, body: reason, key: `sheet:${sheet.postId}` })
}

export async function notifyHeld(
  tx: Tx,
  emit: Emit,
  sheet: OwnSheet,
  { id, found, changes, isOtherThanPreview = false }: HeldSheet,
  comparison: SheetComparison,
): Promise<void> {
  const body =
    changes === null
      ? `${isOtherThanPreview ? 'The spreadsheet changed after your preview. ' : ''}${plural(found, 'vehicle')} found. Check and publish them`
      : `The new version has ${lossesOf(comparison)}. Publish it or keep the current version`
  await notifyOwner(tx, emit, sheet, { title: 'Your spreadsheet needs your approval', body, key: `sheet-held:${id}` })
}

function lossesOf({ before, after }: SheetComparison): string {
  const [vehicles, prices, vins] = (
    [
      ['vehicles', 'vehicle'],
      ['prices', 'price'],
      ['vins', 'VIN'],
    ] as const
  ).map(([kind, noun]) => `${plural(after[kind], noun)} instead of ${formatNumber(before[kind])}`)
  const hasLostVins = after.vehicles - after.vins > before.vehicles - before.vins
  return hasLostVins ? `${vehicles}, ${prices}, and ${vins}` : `${vehicles}, and ${prices}`
}

export async function notifyChanged(
  tx: Tx,
  emit: Emit,
  sheet: OwnSheet,
  { added, removed, changed }: SheetChanges,
): Promise<void> {
  if (added + removed + changed === 0) return
  const body = `${formatNumber(added)} added, ${formatNumber(removed)} removed, ${formatNumber(changed)} with a different price, mileage or VIN`
  await notifyOwner(tx, emit, sheet, { title: 'Your spreadsheet was read again', body })
}

async function notifyOwner(
  tx: Tx,
  emit: Emit,
  { postId, dealerId, title: postTitle }: OwnSheet,
  { title, ...notice }: { title: string; body: string; key?: string },
): Promise<void> {
  await notify(tx, emit, {
    dealerId,
    kind: 'unreadable',
    title: `${title}: ${postTitle}`,
    path: `/post/${postId}`,
    ...notice,
  })
}
