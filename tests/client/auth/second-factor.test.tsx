import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import t, { type Test } from 'tap'
import { SecondFactorGate } from '#client/app/second-factor-gate.tsx'
import { authStatusQuery, meQuery } from '#client/features/auth/auth.api.ts'
import { LoginForm } from '#client/features/auth/login-form.tsx'
import { SecondFactorCard } from '#client/features/auth/security/second-factor-card.tsx'
import { SecondFactorForm } from '#client/features/auth/security/second-factor-form.tsx'
import { CurrentDealerContext } from '#client/lib/session/current-dealer.ts'
import { AccountSecurity } from '#shared/schemas/account.ts'
import {
  AuthenticatorSecret,
  AuthStatus,
  type OwnSecondFactor,
  type Proof,
  RecoveryCodes,
  SecondFactorAnswer,
  SecondFactorAsked,
  SignedIn,
  WithProof,
} from '#shared/schemas/auth.ts'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { fill, press, says } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, refusal, sent } from '#tests/support/network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

const none = { app: false, appUnreadable: false, passkey: false, recovery: false }

const securityOf = (hasPassword: boolean, about: Partial<OwnSecondFactor>): AccountSecurity => ({
  email: 'dana@torresauto.example',
  emailVerified: true,
  hasPassword,
  googleLinked: !hasPassword,
  proven: false,
  secondFactor: { required: false, app: 'off', passkeys: [], recoveryCodesLeft: 0, ...about },
  sessions: [],
})

function openCard(t: Test, hasPassword: boolean, about: Partial<OwnSecondFactor>) {
  const security = securityOf(hasPassword, about)
  const network = fakeNetwork(t)
  network.use(http.get('*/api/auth/security', () => answer(AccountSecurity, security)))
  show(t, <SecondFactorCard security={security} />)
  return network
}

t.test('explains that the server’s keys changed and accepts a recovery code', async (t) => {
  const heard: SecondFactorAnswer[] = []
  fakeNetwork(t).use(
    http.post('*/api/auth/second-factor', async ({ request }) => {
      heard.push(await sent(SecondFactorAnswer, request))
      return refusal(401, 'This code is incorrect', ['code'])
    }),
  )
  show(t, <SecondFactorForm factors={{ ...none, appUnreadable: true, recovery: true }} />)
  await says("Your app's codes no longer work")
  t.equal(screen.queryByText('Use a passkey'), null)
  await press('Sign in')
  await says('Enter one of your recovery codes')
  fill('Recovery code', 'abcd-efgh-ijkm-npqr')
  await press('Sign in')
  await says('This code is incorrect')
  t.same(heard, [{ code: 'abcd-efgh-ijkm-npqr' }])
})

t.test('asks an account without a password for its second factor only', async (t) => {
  const heard: Proof[] = []
  openCard(t, false, { app: 'on', recoveryCodesLeft: 3 }).use(
    http.post('*/api/auth/recovery-codes', async ({ request }) => {
      heard.push((await sent(WithProof, request)).proof ?? {})
      return answer(RecoveryCodes, { recoveryCodes: ['2345-6789-abcd-efgh'] })
    }),
  )
  await says('3 of 10 left. Each works once')
  await press('Create new codes')
  await says('App code or recovery code')
  fill('App code or recovery code', '123456')
  t.equal(screen.queryByLabelText('Your password'), null)
  await press('Create new codes')
  await says('2345-6789-abcd-efgh')
  t.same(heard, [{ code: '123456' }])
})

t.test('shows in the settings that there is no second factor and that staff must set one up', async (t) => {
  openCard(t, true, { required: true })
  await says(
    'You currently sign in with just a password. Add an app or passkey for a second step. This network requires one for staff.',
  )
  t.equal(screen.queryByText('Create new codes'), null)
})

function Staff() {
  const me = useQuery(meQuery()).data
  if (me === undefined) return null
  return (
    <CurrentDealerContext value={me}>
      <SecondFactorGate>
        <p>{`The work of ${me.role}`}</p>
      </SecondFactorGate>
    </CurrentDealerContext>
  )
}

t.test('opens the app for staff who saved their recovery codes before the status is refetched', async (t) => {
  let isOn = false
  let isDown = false
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/auth/me', () => {
      if (isDown) return refusal(503, 'Lanewire is restarting')
      return answer(CurrentUser, aCurrentUser(isOn ? { role: 'ops' } : { role: 'dealer', secondFactorDue: true }))
    }),
    http.get('*/api/auth/security', () => answer(AccountSecurity, securityOf(true, { required: true }))),
    http.post('*/api/auth/authenticator', () =>
      answer(AuthenticatorSecret, { secret: 'A'.repeat(32), uri: 'otpauth://totp/Lanewire?secret=A' }),
    ),
    http.post('*/api/auth/authenticator/confirm', () => {
      isOn = true
      return answer(RecoveryCodes, { recoveryCodes: ['2345-6789-abcd-efgh'] })
    }),
  )
  show(t, <Staff />)
  await press('Authenticator app')
  await says('Your password')
  fill('Your password', 'correct horse')
  await press('Continue')
  await says('Code from your app')
  fill('Code from your app', '123456')
  await press('Turn on')
  await says('2345-6789-abcd-efgh')
  isDown = true
  await press("I've saved them")
  await says('Lanewire is restarting')
  t.ok(screen.getByText('2345-6789-abcd-efgh'), 'the new status is not known yet')
  isDown = false
  await press("I've saved them")
  await becomes(t, () => screen.queryByText('The work of ops') !== null, true)
})

const atTheDoor: AuthStatus = {
  authenticated: false,
  session: null,
  demo: false,
  google: false,
  billing: true,
  sampleLogin: { email: 'dana@torresauto.example', password: 'correct horse' },
  secondFactor: null,
}

function Door() {
  const { data } = useQuery(authStatusQuery())
  if (data === undefined) return null
  return data.authenticated ? <p>Inside</p> : <LoginForm />
}

t.test('opens the app after sign-in even if the first status request gets no answer', async (t) => {
  const answers: (() => Response)[] = [() => answer(AuthStatus, atTheDoor), away]
  fakeNetwork(t).use(
    http.get('*/api/auth/status', () => {
      const next = answers.shift()
      return next ? next() : answer(AuthStatus, { ...atTheDoor, authenticated: true, session: 'one' })
    }),
    http.post('*/api/auth/login', () => answer(SignedIn, { user: aCurrentUser() })),
  )
  show(t, <Door />)
  fireEvent.submit((await screen.findByLabelText('Email')).closest('form')!)
  await says('Inside')
})

t.test('does not close the second factor form on an older status response', async (t) => {
  let answerOld = () => {}
  const old = new Promise<void>((resolve) => (answerOld = resolve))
  let asked = 0
  fakeNetwork(t).use(
    http.get('*/api/auth/status', async () => {
      asked += 1
      if (asked > 1) await old
      return answer(AuthStatus, atTheDoor)
    }),
    http.post('*/api/auth/login', () => answer(SecondFactorAsked, { secondFactor: { ...none, app: true } })),
  )
  const { cache } = show(t, <Door />)
  const field = await screen.findByLabelText('Email')
  const reading = cache.invalidateQueries({ queryKey: authStatusQuery().queryKey })
  await becomes(t, () => asked, 2)
  fireEvent.submit(field.closest('form')!)
  await says('One more step')
  answerOld()
  await reading
  await says('One more step')
  t.equal(cache.getQueryData(authStatusQuery().queryKey)?.secondFactor?.app, true)
})
