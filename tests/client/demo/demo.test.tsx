import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { useMutation } from '@tanstack/react-query'
import t, { type Test } from 'tap'
import { shellParts } from '#client/app/shell-parts.tsx'
import { LoginForm } from '#client/features/auth/login-form.tsx'
import { DemoStrip } from '#client/features/demo/demo-strip.tsx'
import { readPhrase } from '#client/features/find/phrase/parse.ts'
import { OpenDemo } from '#client/features/site/open-demo.tsx'
import { AuthStatus } from '#shared/schemas/auth.ts'
import { findSearch } from '#shared/find-query.ts'
import { type DemoSteps, DemoStepsAnswer } from '#shared/schemas/demo.ts'
import { gone, press, says, textIn } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, refusal } from '#tests/support/network.ts'
import { aCurrentUser, anAuthStatus } from '#tests/support/records.ts'

const steps: DemoSteps = {
  bid: false,
  answered: false,
  posted: false,
  queues: false,
  second: { id: '018f3c6e-0000-7000-8000-000000000002', name: 'Marcus Webb', email: 'marcus@webbbros.example' },
  ops: 'ops@lanewire.example',
}
const sampleLogin = { email: 'dana@torresauto.example', password: 'sample password' }
const status = anAuthStatus({ authenticated: false, session: null, demo: true, sampleLogin })
const visitor = aCurrentUser()

function Act({ run }: { run: () => void }) {
  const change = useMutation({ mutationFn: async () => run() })
  return (
    <button type="button" onClick={() => change.mutate()}>
      Act
    </button>
  )
}

function openStrip(t: Test, given: DemoSteps | null = steps, path = '/') {
  const held = { steps: given }
  const pressed: string[] = []
  fakeNetwork(t).use(http.get('*/api/demo/steps', () => answer(DemoStepsAnswer, held.steps)))
  const strip = (
    <>
      <DemoStrip onChat={(id) => pressed.push(id)} onPost={() => pressed.push('post')} />
      <Act run={() => (held.steps = { ...steps, bid: true })} />
    </>
  )
  return { ...show(t, strip, visitor, path), held, pressed, strip }
}

const ticked = () => screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.endsWith(', done')).length

t.test('ticks a step off once the visitor has done it', async (t) => {
  openStrip(t)
  await says('Bid in Lane with B')
  t.equal(ticked(), 0)
  await press('Act')
  await becomes(t, ticked, 1)
  t.ok(screen.getByRole('link', { name: 'Bid in Lane with B, done' }))
})

t.test('ticks the search off when Find shows what the phrase asks for, and remembers it', async (t) => {
  const { query } = readPhrase('2019-2021 F-150 under 40k miles')
  const { unmount, strip } = openStrip(t, steps, `/find?${findSearch(query)}`)
  await becomes(t, ticked, 1)
  unmount()
  show(t, strip, visitor)
  await becomes(t, ticked, 1)
})

t.test('opens the chat, the post dialog and the addresses of the other accounts', async (t) => {
  const { pressed } = openStrip(t)
  await press('Reply to Marcus')
  await press('Post a VIN')
  t.same(pressed, [steps.second.id, 'post'])
  await press('Open a second browser as Marcus')
  await says(`${window.location.origin}/login?as=marcus@webbbros.example`)
  await press('Close')
  await press('Open the queues')
  await says(`${window.location.origin}/login?as=ops@lanewire.example`)
})

t.test('stays closed permanently', async (t) => {
  const { unmount, strip } = openStrip(t)
  await press('Hide these suggestions')
  await gone(t, 'Bid in Lane with B')
  unmount()
  show(t, strip, visitor)
  t.equal(screen.queryByText('Bid in Lane with B'), null)
})

t.test('shows nothing to an account without steps', async (t) => {
  const { cache } = openStrip(t, null)
  await becomes(t, () => cache.getQueryState(['/api/demo/steps'])?.status, 'success')
  t.equal(screen.queryByRole('region', { name: 'Things to try' }), null)
})

t.test('asks for no steps on a real network', async (t) => {
  const network = fakeNetwork(t)
  network.use(http.get('*/api/auth/status', () => answer(AuthStatus, { ...status, demo: false, sampleLogin: null })))
  const [Gate] = shellParts.banners
  const { cache } = show(t, Gate ? <Gate /> : null, visitor)
  await becomes(t, () => cache.getQueryState(['/api/auth/status'])?.status, 'success')
  t.equal(cache.getQueryState(['/api/demo/steps']), undefined)
})

const switchTo = (mode: string) => fireEvent.click(screen.getByRole('radio', { name: mode }))

const openLogin = (t: Test, given: AuthStatus, mode: 'login' | 'signup', demoAccount?: string) => {
  fakeNetwork(t).use(http.get('*/api/auth/status', () => answer(AuthStatus, given)))
  return show(t, <LoginForm initialMode={mode} demoAccount={demoAccount} />)
}

t.test('fills the sample credentials into the login mode and leaves sign-up empty', async (t) => {
  openLogin(t, status, 'login')
  await screen.findByLabelText('Email')
  t.same([textIn('Email'), textIn('Password')], ['dana@torresauto.example', 'sample password'])
  switchTo('Sign Up')
  t.same([textIn('Email'), textIn('Password')], ['', ''])
})

t.test('fills in the demo account of the address, on a demo only', async (t) => {
  openLogin(t, status, 'login', steps.second.email)
  await screen.findByLabelText('Email')
  t.same([textIn('Email'), textIn('Password')], ['marcus@webbbros.example', 'sample password'])
})

t.test('fills in nothing on a real network', async (t) => {
  openLogin(t, { ...status, demo: false, sampleLogin: null }, 'login', steps.second.email)
  await screen.findByLabelText('Email')
  t.same([textIn('Email'), textIn('Password')], ['', ''])
  t.equal(screen.queryByText('Quick Login as Demo User'), null)
})

t.test('offers Google where the server has it', async (t) => {
  openLogin(t, status, 'signup')
  await screen.findByLabelText('Email')
  t.equal(screen.queryByText('Continue with Google'), null)
  t.equal(screen.queryByText('or with email'), null)
})

t.test('offers Google on both modes with Google settings', async (t) => {
  openLogin(t, { ...status, google: true }, 'signup')
  await says('Continue with Google')
  switchTo('Login')
  await says('Continue with Google')
})

t.test('says why the demo could not be opened', async (t) => {
  fakeNetwork(t).use(http.post('*/api/auth/create-dummy', () => refusal(429, 'Too many demo accounts')))
  show(t, <OpenDemo />)
  await press('Open the live demo')
  await says('Too many demo accounts')
  t.ok(screen.getByRole('button', { name: 'Open the live demo' }))
})
