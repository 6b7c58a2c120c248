import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t from 'tap'
import { AdminNetwork } from '#client/features/admin/network/admin-network.tsx'
import { TermsForm } from '#client/features/auctions/terms-form.tsx'
import { AddressWatch } from '#client/features/auth/address-watch.tsx'
import { NetworkChange, NetworkSettings } from '#shared/schemas/admin.ts'
import { dialogOpen, press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse, sent } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'

const reason = 'Confirm your email address before you post, bid or make offers'

t.test('opens a dialog to resend the confirmation mail after a refusal', async (t) => {
  const auction = anAuction({ bidCount: 0 })
  const mails: string[] = []
  fakeNetwork(t).use(
    http.all(`*/api/inventory/${auction.postId}/auction`, () =>
      HttpResponse.json({ error: { code: 'email_unconfirmed', message: reason, requestId: 'test' } }, { status: 403 }),
    ),
    http.post('*/api/auth/email/resend', ({ request }) => {
      mails.push(request.url)
      return new Response(null, { status: 204 })
    }),
  )
  show(
    t,
    <>
      <TermsForm auction={auction} />
      <AddressWatch />
    </>,
  )
  await press('Save terms')
  t.ok(await screen.findByRole('dialog', { name: 'Confirm your email address' }))
  t.equal(mails.length, 0, 'nothing is sent without a click')
  await press('Resend confirmation email')
  await says('Email Sent')
  t.equal(mails.length, 1)
  await becomes(t, dialogOpen, false)
})

t.test('lets an admin turn the rule on and off', async (t) => {
  let settings: NetworkSettings = { joining: 'open', confirmedOnly: true, verifiedOnly: false }
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
  const rule = () => screen.findByRole('switch', { name: /^Require a confirmed email address/ })
  t.equal((await rule()).getAttribute('aria-checked'), 'true')
  fireEvent.click(await rule())
  await says('Confirmed email not required')
  t.same(heard, [{ confirmedOnly: false }])
})
