import { show } from '#tests/support/screen.tsx'
import { act } from '@testing-library/react'
import t, { type Test } from 'tap'
import { ResetPage } from '#client/pages/reset.tsx'
import { VerifyEmailPage } from '#client/pages/verify-email.tsx'
import { gone, says } from '#tests/support/controls.ts'
import { fakeNetwork, http } from '#tests/support/network.ts'

function openAt(t: Test, address: string): void {
  history.replaceState(null, '', address)
  t.teardown(() => history.replaceState(null, '', '/'))
}

t.test('reads the secret of a mailed link from the fragment', async (t) => {
  const heard: unknown[] = []
  fakeNetwork(t).use(
    http.post('*/api/auth/email/verify', async ({ request }) => {
      heard.push(await request.json())
      return new Response(null, { status: 204 })
    }),
  )
  openAt(t, '/verify-email#token=a-secret')
  show(t, <VerifyEmailPage />)
  await says('Your email is confirmed')
  t.same(heard, [{ token: 'a-secret' }])
})

t.test('accepts links mailed by an earlier version', async (t) => {
  const heard: unknown[] = []
  fakeNetwork(t).use(
    http.post('*/api/auth/email/verify', async ({ request }) => {
      heard.push(await request.json())
      return new Response(null, { status: 204 })
    }),
  )
  show(t, <VerifyEmailPage />, undefined, '/verify-email?token=an-old-secret')
  await says('Your email is confirmed')
  t.same(heard, [{ token: 'an-old-secret' }])
})

t.test('applies another link on the same page at once', async (t) => {
  openAt(t, '/reset')
  show(t, <ResetPage />, undefined, '/reset')
  await says('Back to Login')
  await gone(t, 'Request a new link')
  act(() => {
    history.replaceState(null, '', '/reset#token=a-secret')
    dispatchEvent(new Event('hashchange'))
  })
  await says('Request a new link')
})
