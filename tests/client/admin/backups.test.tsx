import { show } from '#tests/support/screen.tsx'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { AdminQuickActions } from '#client/features/admin/home/admin-quick-actions.tsx'
import { Backup, Backups } from '#shared/schemas/admin.ts'
import { press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, refusal } from '#tests/support/network.ts'

const at = '2026-11-20T10:00:00.000Z'

const noBackups: Backups = { lastVerified: null, backups: [], nextAt: at, late: false, kept: 7 }

t.test('shows missing, refused, running and failed backups', async (t) => {
  const backup: Backup = {
    id: randomUUID(),
    state: 'running',
    requestedBy: 'Dana Torres',
    daily: false,
    startedAt: at,
    finishedAt: null,
    folder: null,
    sizeBytes: null,
    rows: null,
    error: null,
  }
  let state = noBackups
  let refuse = true
  fakeNetwork(t).use(
    http.get('*/api/admin/backups', () => answer(Backups, state)),
    http.post('*/api/admin/backups', () => {
      if (refuse) return refusal(409, 'A worker is needed to make a backup')
      state = { ...noBackups, backups: [backup] }
      return answer(Backup, backup)
    }),
  )
  const { cache } = show(t, <AdminQuickActions />)
  await says('There is no verified backup yet.')
  await press('Backup Data')
  await says('No backups yet.')
  await press('Back up now')
  await says('A worker is needed to make a backup')
  refuse = false
  await press('Back up now')
  await says('Backup started')
  await says('Backing up...')
  state = { ...noBackups, backups: [{ ...backup, state: 'failed', error: 'The disk is full' }] }
  await cache.invalidateQueries()
  await says('The latest backup failed: The disk is full')
})
