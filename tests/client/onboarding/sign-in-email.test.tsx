import { becomes, show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { inbox } from '#client/app/live.ts'
import { ProfileForm } from '#client/features/onboarding/profile-form.tsx'
import { receiveInbox } from '#client/lib/live/live-queries.ts'
import { OnboardingPage } from '#client/pages/onboarding.tsx'
import { AuthStatus, SignedIn } from '#shared/schemas/auth.ts'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { EmailCorrection, OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'
import { aCurrentUser, anAuthStatus } from '#tests/support/records.ts'
import { aProfile } from '#tests/support/newcomer.ts'
import { stopTime } from '#tests/support/stopped-time.ts'

function openForm(t: Test, { correctable = true, correct = () => new HttpResponse(null, { status: 204 }) } = {}) {
  const asked: string[] = []
  fakeNetwork(t).use(
    http.patch('*/api/onboarding', () => new HttpResponse(null, { status: 204 })),
    http.post('*/api/onboarding/email', async ({ request }) => {
      asked.push((await sent(EmailCorrection, request)).email)
      return correct()
    }),
    http.post('*/api/auth/complete-profile', () => {
      asked.push('profile')
      return answer(SignedIn, { user: aCurrentUser() })
    }),
  )
  const { email: _email, ...draft } = aProfile
  const rest = { onChangeEmail: () => {}, onSaved: () => {}, renderLicense: () => null, checkLicense: () => ({}) }
  show(t, <ProfileForm draft={draft} email="slpi@a.example" emailCorrectable={correctable} demo={false} {...rest} />)
  return { asked }
}

t.test('saves a corrected email by its button', async (t) => {
  const { asked } = openForm(t)
  t.equal(screen.queryByRole('button', { name: 'Save email' }), null)
  fill('Email', 'slip@a.example')
  await press('Save email')
  await says('Email changed')
  await says('Open the link sent to slip@a.example')
  t.same(asked, ['slip@a.example'])
})

t.test('saves a corrected email before the profile', async (t) => {
  const { asked } = openForm(t)
  fill('Email', 'slip@a.example')
  await press('Save and choose a plan')
  await becomes(t, () => asked, ['slip@a.example', 'profile'])
})

t.test('keeps the profile back while the email is refused, and shows why', async (t) => {
  const { asked } = openForm(t, {
    correct: () => refusal(409, 'Another account uses this email', ['email']) as HttpResponse<null>,
  })
  fill('Email', 'slip')
  await press('Save and choose a plan')
  await becomes(t, () => refusalOf('Email'), 'Please enter an email address')
  fill('Email', 'ben@a.example')
  await press('Save and choose a plan')
  await becomes(t, () => refusalOf('Email'), 'Another account uses this email')
  t.equal(textIn('Email'), 'ben@a.example')
  t.same(asked, ['ben@a.example'])
})

t.test('shows a confirmed email with a button to change it', async (t) => {
  const { asked } = openForm(t, { correctable: false })
  t.equal(screen.getByLabelText<HTMLInputElement>('Email').readOnly, true)
  await press('Change the address you sign in with')
  t.same(asked, [])
})

/** Opens the page of an account that has to confirm its address. `confirm` changes what the server answers from then on. */
function openPage(t: Test, me: CurrentUser) {
  let progress: OnboardingProgress = { step: 'profile', profile: aProfile, planId: null, emailCorrectable: true }
  const asked: string[] = []
  fakeNetwork(t).use(
    http.get('*/api/auth/status', () => answer(AuthStatus, anAuthStatus())),
    http.get('*/api/auth/me', () => answer(CurrentUser, me)),
    http.get('*/api/onboarding', () => answer(OnboardingProgress, progress)),
    http.post('*/api/onboarding/email', () => {
      asked.push('email')
      return refusal(409, 'Your email can no longer be corrected here. Change it in your profile')
    }),
    http.post('*/api/auth/complete-profile', () => {
      asked.push('profile')
      return refusal(400, 'Not now')
    }),
  )
  const { cache } = show(t, <OnboardingPage />, me)
  return { cache, asked, confirm: () => void (progress = { ...progress, step: 'done', emailCorrectable: false }) }
}

const isReadOnly = () => screen.findByRole('button', { name: 'Change the address you sign in with' })

t.test('stops offering to correct the email once it was confirmed elsewhere, and stays at its step', async (t) => {
  const { cache, asked, confirm } = openPage(t, aCurrentUser({ profileComplete: false, email: 'slpi@a.example' }))
  await screen.findByLabelText('Email')
  fill('Email', 'slip@a.example')
  confirm()
  receiveInbox(cache, inbox, { rev: 1, what: 'profile', id: 'me' })
  await isReadOnly()
  t.equal(textIn('Email'), 'slpi@a.example')
  await press('Save and choose a plan')
  await becomes(t, () => asked, ['profile'])
})

t.test('asks at intervals whether an account that waits for approval has confirmed its email', async (t) => {
  const time = stopTime(t, { apis: ['setInterval'] })
  const { confirm } = openPage(t, aCurrentUser({ profileComplete: false, admission: 'waiting' }))
  await screen.findByLabelText('Email')
  confirm()
  time.tick(15_000)
  t.ok(await isReadOnly())
})
