import { show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { ApiKeysCard } from '#client/features/account/api-keys-card.tsx'
import { ProofDialog } from '#client/features/auth/security/proof-dialog.tsx'
import { ProofWatch } from '#client/features/auth/security/proof-watch.tsx'
import { AccountSecurity, ApiKey, CreatedApiKey, NewApiKey, VerifyEmail } from '#shared/schemas/account.ts'
import { ApiError } from '#client/lib/http/api.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { VerifyEmailPage } from '#client/pages/verify-email.tsx'
import { AuthStatus, type Proof } from '#shared/schemas/auth.ts'
import { fill, gone, press, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'
import { anAuthStatus } from '#tests/support/records.ts'

const security: AccountSecurity = {
  email: 'dana@torresauto.example',
  emailVerified: true,
  hasPassword: true,
  googleLinked: false,
  proven: false,
  secondFactor: { required: false, app: 'off', passkeys: [], recoveryCodesLeft: 0 },
  sessions: [],
}

const made: CreatedApiKey = {
  key: {
    id: randomUUID(),
    name: 'Website',
    scope: 'read',
    prefix: 'lw_abc',
    createdAt: '2026-11-20T10:00:00.000Z',
    lastUsedAt: null,
  },
  secret: 'lw_abc_secret',
}

/** Shows the form for an API key. `judge` returns the error response to a proof, or undefined to accept the proof. */
async function askForKey(
  t: Test,
  account: AccountSecurity,
  judge: (proof: Proof) => ReturnType<typeof refusal> | undefined,
) {
  const heard: (Proof | undefined)[] = []
  const state = { account }
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/api-keys', () => answer(Type.Array(ApiKey), [])),
    http.get('*/api/auth/security', () => answer(AccountSecurity, state.account)),
    http.get('*/api/auth/status', () => answer(AuthStatus, anAuthStatus({ google: true }))),
    http.post('*/api/api-keys', async ({ request }) => {
      const { proof } = await sent(NewApiKey, request)
      heard.push(proof)
      return judge(proof ?? {}) ?? answer(CreatedApiKey, made)
    }),
  )
  show(
    t,
    <>
      <ApiKeysCard apiAccess />
      <ProofWatch />
    </>,
  )
  await press('New key')
  fill(/^Name/, 'Website')
  await press('Create key')
  await says("Confirm it's you")
  return { heard, network, state }
}

const asks = () => refusal(403, 'Enter your password, then try again', undefined, 'proof_required')

t.test('asks for the password, again if it is wrong, and then makes the change', async (t) => {
  const { heard } = await askForKey(t, security, ({ password }) => {
    if (password === undefined) return asks()
    return password === 'right' ? undefined : refusal(403, 'Your password is incorrect', ['password'])
  })
  await screen.findByLabelText('Your password')
  await press('Confirm')
  await says('Please enter your password')
  fill('Your password', 'wrong')
  await press('Confirm')
  await says('Your password is incorrect')
  fill('Your password', 'right')
  await press('Confirm')
  await says('lw_abc_secret')
  await gone(t, "Confirm it's you")
  t.same(heard, [undefined, { password: 'wrong' }, { password: 'right' }])
})

t.test('returns to the form with its input on Cancel', async (t) => {
  const { heard } = await askForKey(t, security, asks)
  await screen.findByLabelText('Your password')
  fireEvent.click(screen.getAllByRole('button', { name: 'Cancel' }).at(-1)!)
  await gone(t, "Confirm it's you")
  await says('The key was not created')
  t.equal(textIn(/^Name/), 'Website')
  t.same(heard, [undefined])
})

t.test('shows a refusal that is not about the proof in the form', async (t) => {
  await askForKey(t, security, ({ password }) =>
    password === undefined ? asks() : refusal(409, 'You have 10 keys already'),
  )
  await screen.findByLabelText('Your password')
  fill('Your password', 'right')
  await press('Confirm')
  await says('You have 10 keys already')
  await gone(t, "Confirm it's you")
})

t.test('lets an account without password and second factor confirm by Google or a mailed link', async (t) => {
  const account = { ...security, hasPassword: false, googleLinked: true }
  let proven = false
  const { heard, network, state } = await askForKey(t, account, () => (proven ? undefined : asks()))
  let mails = 0
  network.use(
    http.post('*/api/auth/proof/mail', () => {
      mails += 1
      return new HttpResponse(null, { status: 204 })
    }),
  )
  t.equal((await screen.findByRole('link', { name: /Continue with Google/ })).getAttribute('href'), '/api/auth/google')
  await press('Confirm')
  await says('Confirm in one of these ways first')
  await press('Email me a link')
  await says(/Open the link sent to dana@torresauto.example/)
  t.equal(mails, 1)
  t.equal(heard.length, 1)
  // Simulate opening the link in another tab.
  proven = true
  state.account = { ...account, proven }
  window.dispatchEvent(new Event('visibilitychange'))
  await says('You confirmed your identity recently, so no further proof is needed')
  await press('Confirm')
  await says('lw_abc_secret')
})

t.test("offers the ways to confirm once the session's proof has expired", async (t) => {
  const account = { ...security, hasPassword: false, proven: true }
  const { state } = await askForKey(t, account, asks)
  await says('You confirmed your identity recently, so no further proof is needed')
  state.account = { ...account, proven: false }
  await press('Confirm')
  await says('Nothing was changed')
  await screen.findByRole('button', { name: 'Email me a link' })
})

t.test('refuses a change that waits for proof when another change needs proof', async (t) => {
  const network = fakeNetwork(t)
  network.use(http.get('*/api/auth/security', () => answer(AccountSecurity, security)))
  show(t, <ProofWatch />)
  const refused = new ApiError(403, '', JSON.stringify({ error: { code: 'proof_required', message: 'Prove it' } }))
  const change = (name: string) =>
    withProof(({ proof }) => (proof === undefined ? Promise.reject(refused) : Promise.resolve(name)))
  const first = change('first')
  const second = change('second')
  await t.rejects(first, refused)
  await screen.findByLabelText('Your password')
  fill('Your password', 'right')
  await press('Confirm')
  t.equal(await second, 'second')
  await gone(t, "Confirm it's you")
})

t.test("says on the mailed link's page that it worked, or where to open it", async (t) => {
  const tokens: string[] = []
  const network = fakeNetwork(t)
  network.use(
    http.post('*/api/auth/proof/confirm', async ({ request }) => {
      tokens.push((await sent(VerifyEmail, request)).token)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  history.replaceState(null, '', '/verify-email#prove=abc')
  t.teardown(() => history.replaceState(null, '', '/'))
  const first = show(t, <VerifyEmailPage />)
  await says('Your identity is confirmed')
  t.same(tokens, ['abc'])
  first.unmount()
  network.use(
    http.post('*/api/auth/proof/confirm', () => refusal(401, 'Sign in to continue')),
    http.get('*/api/auth/status', () => HttpResponse.json({})),
  )
  show(t, <VerifyEmailPage />)
  await says('Open it in the browser where you are signed in.')
})

t.test('shows an error with Retry if the ways to confirm cannot be loaded', async (t) => {
  fakeNetwork(t).use(
    http.get('*/api/auth/security', away, { once: true }),
    http.get('*/api/auth/security', () => answer(AccountSecurity, security)),
    http.get('*/api/auth/status', () => answer(AuthStatus, anAuthStatus())),
  )
  const confirm = () => screen.getByRole('button', { name: 'Delete' })
  show(
    t,
    <ProofDialog
      title="Delete it?"
      description=""
      confirmLabel="Delete"
      busy={false}
      error={null}
      onConfirm={() => t.fail('nothing is confirmed')}
      onClose={() => undefined}
    />,
  )
  t.match((await screen.findByRole('alert')).textContent, /security settings could not be loaded.*database is away/)
  t.equal(confirm().hasAttribute('disabled'), true)
  await press('Retry')
  await screen.findByLabelText('Your password')
  t.equal(confirm().hasAttribute('disabled'), false)
})
