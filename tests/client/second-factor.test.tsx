import { show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { SecondFactorCard } from '#client/features/auth/security/second-factor-card.tsx'
import { SecondFactorForm } from '#client/features/auth/security/second-factor-form.tsx'
import { AccountSecurity } from '#shared/schemas/account.ts'
import { type OwnSecondFactor, Proof, RecoveryCodes, SecondFactorAnswer } from '#shared/schemas/auth.ts'
import { fill, press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, refusal, sent } from '#tests/support/network.ts'

const none = { app: false, appUnreadable: false, passkey: false, recovery: false }

function openCard(t: Test, hasPassword: boolean, about: Partial<OwnSecondFactor>) {
  const security: AccountSecurity = {
    email: 'dana@torresauto.example',
    emailVerified: true,
    hasPassword,
    googleLinked: !hasPassword,
    secondFactor: { required: false, app: 'off', passkeys: [], recoveryCodesLeft: 0, ...about },
    sessions: [],
  }
  const network = fakeNetwork(t)
  network.use(http.get('*/api/auth/security', () => answer(AccountSecurity, security)))
  show(t, <SecondFactorCard security={security} />)
  return network
}

t.test('after the server’s keys have changed the door says so, and takes a recovery code', async (t) => {
  const heard: SecondFactorAnswer[] = []
  fakeNetwork(t).use(
    http.post('*/api/auth/second-factor', async ({ request }) => {
      heard.push(await sent(SecondFactorAnswer, request))
      return refusal(401, 'This code is not right', ['code'])
    }),
  )
  show(t, <SecondFactorForm factors={{ ...none, appUnreadable: true, recovery: true }} />)
  await says('Codes of your app do not count any more')
  t.equal(screen.queryByText('Use a passkey'), null)
  await press('Sign in')
  await says('Enter one of your recovery codes')
  fill('Recovery code', 'abcd-efgh-ijkm-npqr')
  await press('Sign in')
  await says('This code is not right')
  t.same(heard, [{ code: 'abcd-efgh-ijkm-npqr' }])
})

t.test('an account without a password is asked for its second factor, with one for its password', async (t) => {
  const heard: Proof[] = []
  openCard(t, false, { app: 'on', recoveryCodesLeft: 3 }).use(
    http.post('*/api/auth/recovery-codes', async ({ request }) => {
      heard.push(await sent(Proof, request))
      return answer(RecoveryCodes, { recoveryCodes: ['2345-6789-abcd-efgh'] })
    }),
  )
  await says('3 of 10 left. Each works once')
  await press('Make new codes')
  await says('Code of your app, or a recovery code')
  fill('Code of your app, or a recovery code', '123456')
  t.equal(screen.queryByLabelText('Your password'), null)
  await press('Make new codes')
  await says('2345-6789-abcd-efgh')
  t.same(heard, [{ code: '123456' }])
})

t.test('where there is none the settings say what stands open, and what staff are asked for', async (t) => {
  openCard(t, true, { required: true })
  await says(
    'Your password alone signs in. Add an app or a passkey, and nobody gets in with the password alone. This network wants one of its staff.',
  )
  t.equal(screen.queryByText('Make new codes'), null)
})
