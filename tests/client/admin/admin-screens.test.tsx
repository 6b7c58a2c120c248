import { show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import t, { type Test } from 'tap'
import { actText } from '#client/features/admin/audit-words.ts'
import { adminRoutes } from '#client/pages/admin/admin-routes.tsx'
import { AdminUsersPage as UsersPage, Invitation, NetworkSettings, RetentionState } from '#shared/schemas/admin.ts'
import { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import Type from 'typebox'
import { says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser, anAdminUser } from '#tests/support/records.ts'

const rules = 'Who can join'

async function openPage(t: Test, path: string, role: DealerRole): Promise<void> {
  const users = [anAdminUser({ dealershipName: 'Whitlock Motors' })]
  fakeNetwork(t).use(
    http.get('*/api/admin/network', () => answer(NetworkSettings, { joining: 'open', verifiedOnly: false })),
    http.get('*/api/admin/retention', () =>
      answer(RetentionState, { messageMonths: null, logMonths: 12, ranAt: null, removed: 0 }),
    ),
    http.get('*/api/admin/invitations', () => answer(Type.Array(Invitation), [])),
    http.get('*/api/admin/users', ({ request }) => {
      const isWaiting = new URL(request.url).searchParams.get('state') === 'waiting'
      return answer(UsersPage, { users: isWaiting ? [] : users, total: isWaiting ? 0 : 1, nextCursor: null })
    }),
    http.get('*/api/notifications', () =>
      answer(NotificationsPage, { items: [], unread: 0, more: false, latestPush: null }),
    ),
  )
  const Page = adminRoutes.find((route) => route.path === path)?.Page
  show(t, <Suspense>{Page ? <Page /> : null}</Suspense>, aCurrentUser({ role }))
}

t.test('shows the rules of the network to admins on a screen of their own', async (t) => {
  await openPage(t, '/admin/network', 'admin')
  await says(rules)
  await says('Data retention')
})

for (const role of ['dealer', 'ops'] as const)
  t.test(`shows the not-found screen at /admin/network to the role ${role}`, async (t) => {
    await openPage(t, '/admin/network', role)
    await says('404 Page Not Found')
    t.equal(screen.queryByText(rules), null)
  })

t.test('begins the users screen with the search and the table', async (t) => {
  await openPage(t, '/admin/users', 'admin')
  await says('Whitlock Motors')
  const first = document.querySelector('main section')
  t.ok(first?.contains(screen.getByRole('searchbox')))
  t.ok(first?.contains(screen.getByText('Whitlock Motors')))
  t.equal(screen.queryByText(rules), null)
})

t.test('puts what staff did into words, also for an action it does not know', async (t) => {
  t.equal(actText('deal.approve'), 'Approved a deal')
  t.equal(actText('user.inviteAgain'), 'Invited a user again')
  t.equal(actText('wagon.paintRed'), 'Wagon: paint red')
})
