import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import Type from 'typebox'
import { AdminInvitations } from '#client/features/admin/users/admin-invitations.tsx'
import { AdminNetwork } from '#client/features/admin/network/admin-network.tsx'
import { AdminRetention } from '#client/features/admin/network/admin-retention.tsx'
import { AdminWaiting } from '#client/features/admin/users/admin-waiting.tsx'
import {
  AdminUser,
  AdminUsersPage,
  AdmissionVerdict,
  Invitation,
  NetworkChange,
  NetworkSettings,
  NewInvitation,
  Retention,
  RetentionState,
} from '#shared/schemas/admin.ts'
import type { Joining } from '#shared/schemas/auth.ts'
import { choose, fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, sent } from '#tests/support/network.ts'
import { anAdminUser } from '#tests/support/records.ts'

const at = '2026-11-20T10:00:00.000Z'
const networkIs = (joining: Joining) =>
  http.get('*/api/admin/network', () => answer(NetworkSettings, { joining, verifiedOnly: false }))

t.test('approves a waiting account with one click or declines it with a reason', async (t) => {
  const network = fakeNetwork(t)
  let waiting = ['Whitlock Motors', 'Bad Cars'].map((dealershipName) =>
    anAdminUser({
      dealershipName,
      admission: 'waiting',
      waitingSince: at,
      emailVerified: false,
      profileComplete: false,
    }),
  )
  const verdicts: AdmissionVerdict[] = []
  network.use(
    networkIs('approval'),
    http.get('*/api/admin/users', () =>
      answer(AdminUsersPage, { users: waiting, total: waiting.length, nextCursor: null }),
    ),
    http.post('*/api/admin/users/:id/admission', async ({ request, params }) => {
      verdicts.push(await sent(AdmissionVerdict, request))
      waiting = waiting.filter(({ id }) => id !== params['id'])
      return answer(AdminUser, anAdminUser())
    }),
  )
  show(t, <AdminWaiting />)
  await says('2 accounts')
  t.equal(screen.getAllByText('Has not finished the profile yet').length, 2)
  screen.getByRole('button', { name: 'Approve Whitlock Motors' }).focus()
  await press('Approve Whitlock Motors')
  await says('1 account')
  await becomes(t, () => document.activeElement?.textContent, 'Bad Cars')
  await press('Decline Bad Cars')
  await press('Decline')
  await says('Enter a reason for the audit log')
  fill(/^Reason/, 'No license on record')
  await press('Decline')
  await says('No one is waiting')
  t.same(verdicts, [{ verdict: 'approved' }, { verdict: 'declined', reason: 'No license on record' }])
})

t.test('invites an address, resends the invitation and withdraws it', async (t) => {
  const network = fakeNetwork(t)
  let open: Invitation[] = []
  const invite = (email: string): Invitation => {
    const invitation: Invitation = {
      id: randomUUID(),
      email,
      name: '',
      role: 'dealer',
      invitedAt: at,
      until: '2026-11-27T10:00:00.000Z',
      expired: true,
    }
    open = [invitation]
    return invitation
  }
  network.use(
    networkIs('invitation'),
    http.get('*/api/admin/invitations', () => answer(Type.Array(Invitation), open)),
    http.post('*/api/admin/invitations', async ({ request }) =>
      answer(Invitation, invite((await sent(NewInvitation, request)).email)),
    ),
    http.post('*/api/admin/invitations/:id/resend', () => {
      open = open.map((one) => ({ ...one, expired: false }))
      return answer(Invitation, open[0]!)
    }),
    http.delete('*/api/admin/invitations/:id', () => {
      open = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  show(t, <AdminInvitations />)
  await says('No open invitations')
  fill('Email of a dealer', 'nobody')
  await press('Invite')
  t.equal(refusalOf('Email of a dealer'), 'Enter an email address')
  fill('Email of a dealer', 'guest@dealer.example')
  await press('Invite')
  await says('Expired')
  await becomes(t, () => textIn('Email of a dealer'), '')
  await press('Send again to guest@dealer.example')
  await says(/^expires/)
  await press('Revoke guest@dealer.example')
  await press('Revoke')
  await says('No open invitations')
})

t.test('keeps data longer at once but asks before it shortens retention, and shows refusals', async (t) => {
  let state: RetentionState = { messageMonths: null, logMonths: 12, ranAt: null, removed: 0 }
  let refuse = true
  const heard: Retention[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/retention', () => (refuse ? away() : answer(RetentionState, state))),
    http.put('*/api/admin/retention', async ({ request }) => {
      const wanted = await sent(Retention, request)
      heard.push(wanted)
      if (refuse) return away()
      state = { ...state, ...wanted, ranAt: at, removed: 1 }
      return answer(RetentionState, state)
    }),
  )
  show(t, <AdminRetention />)
  t.match((await screen.findByRole('alert')).textContent, /Could not load data retention/)
  refuse = false
  await press('Retry')
  await says('Old data is deleted once a day.')
  await choose('Logs', '24 months')
  await says(/Last run: , row deleted\.$/)
  t.equal(screen.queryByRole('alertdialog'), null)
  await choose('Messages', '12 months')
  await says(/messages are kept for 12 months and logs for 24 months/)
  await press('Cancel')
  await gone(t, 'Shorten retention?')
  t.equal(screen.getByRole('combobox', { name: 'Messages' }).textContent, 'Forever')
  await choose('Messages', '12 months')
  refuse = true
  await press('Shorten retention')
  await says('The database is away')
  refuse = false
  await press('Shorten retention')
  await gone(t, 'Shorten retention?')
  await becomes(t, () => screen.getByRole('combobox', { name: 'Messages' }).textContent, '12 months')
  const shorter = { messageMonths: 12, logMonths: 24 }
  t.same(heard, [{ messageMonths: null, logMonths: 24 }, shorter, shorter])
})

t.test('sends only a complete buy fee, shows its result, and removes an emptied one', async (t) => {
  let settings: NetworkSettings = { joining: 'open', verifiedOnly: false, buyFee: null, stopAfterCancels: true }
  const heard: NetworkChange[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/network', () => answer(NetworkSettings, settings)),
    http.patch('*/api/admin/network', async ({ request }) => {
      const change = await sent(NetworkChange, request)
      heard.push(change)
      settings = { ...settings, ...change }
      return answer(NetworkSettings, settings)
    }),
  )
  show(t, <AdminNetwork ProofDialog={() => null} />)
  await says('Buy fee')
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save fee' })
  t.equal(save().disabled, true, 'nothing has changed')
  fill('Share of the price', 'some')
  t.equal(refusalOf('Share of the price'), 'Enter up to 25%, or leave blank')
  t.equal(save().disabled, true)
  fill('Share of the price', '2,5')
  t.equal(refusalOf('Share of the price'), 'Enter up to 25%, or leave blank', 'it is not read as 25')
  fill('Share of the price', '2.525')
  t.equal(save().disabled, true)
  fill('Share of the price', '2.5 %')
  t.equal(save().disabled, false)
  fill('Share of the price', '2')
  fill('Amount', '$100')
  await says('For example: $20,000 + $500 buy fee = $20,500')
  await press('Save fee')
  await says('Buy fee saved')
  await becomes(t, () => textIn('Amount'), '100')
  fill('Amount', '')
  fill('Share of the price', '')
  await press('Save fee')
  await says('No buy fee')
  t.same(heard, [{ buyFee: { flat: 100, percent: 2 } }, { buyFee: null }])
})

t.test('changes only the rule about a second factor, not a rule changed elsewhere', async (t) => {
  const heard: NetworkChange[] = []
  fakeNetwork(t).use(
    networkIs('open'),
    http.patch('*/api/admin/network', async ({ request }) => {
      heard.push(await sent(NetworkChange, request))
      return answer(NetworkSettings, { joining: 'open', verifiedOnly: true, staffSecondFactor: true })
    }),
  )
  show(t, <AdminNetwork ProofDialog={({ onConfirm }) => <button onClick={() => onConfirm({})}>Prove</button>} />)
  const rule = () => screen.findByRole('switch', { name: /^Require a second factor/ })
  fireEvent.click(await rule())
  await press('Prove')
  await becomes(t, () => heard, [{ staffSecondFactor: true, proof: {} }])
})
