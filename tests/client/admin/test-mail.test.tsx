import { show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import t from 'tap'
import { AdminQuickActions } from '#client/features/admin/home/admin-quick-actions.tsx'
import { Backups, TestMail } from '#shared/schemas/admin.ts'
import { SystemHealth } from '#shared/schemas/ops.ts'
import { press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'

const noBackups: Backups = { lastVerified: null, backups: [], nextAt: null, late: false, kept: 7 }

t.test('shows where a test mail went, or why sending failed', async (t) => {
  let error: string | null = 'Nothing responds at mail.example, the mail server in SMTP_URL'
  fakeNetwork(t).use(
    http.get('*/api/admin/backups', () => answer(Backups, noBackups)),
    http.get('*/api/ops/health', () => answer(SystemHealth, { ok: true, parts: [] })),
    http.post('*/api/admin/test-mail', () => answer(TestMail, { to: 'me@lane.example', kept: false, error })),
  )
  show(t, <AdminQuickActions />)
  await press('System Health')
  await press('Send a test email')
  t.match(
    (await screen.findByRole('alert')).textContent,
    /The test email was not sent.*Nothing responds at mail\.example/,
  )
  error = null
  await press('Send a test email')
  await says('Test email sent to me@lane.example')
  t.equal(screen.queryByRole('alert'), null)
})
