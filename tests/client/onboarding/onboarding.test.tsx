import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { meQuery } from '#client/features/auth/auth.api.ts'
import { OnboardingPage } from '#client/pages/onboarding.tsx'
import { AuthStatus, SignedIn } from '#shared/schemas/auth.ts'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { profileFieldMax } from '#shared/constants/onboarding.ts'
import { OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { UploadTicket } from '#shared/schemas/uploads.ts'
import { choose, fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal, refuseFirst } from '#tests/support/network.ts'
import { openProfile, typedProfile } from '#tests/support/profile-form.tsx'
import { aCurrentUser, anAuthStatus } from '#tests/support/records.ts'

const isSignedIn = http.get('*/api/auth/status', () => answer(AuthStatus, anAuthStatus()))

t.test('marks each blank field, announces the first, and sends nothing', async (t) => {
  const { heard } = openProfile(t, { ...typedProfile, lastName: ' ', city: '' })
  fireEvent.click(screen.getByRole('button', { name: 'Save and choose a plan' }))
  t.equal(document.activeElement, screen.getByLabelText('Last name'), 'on the click, before any other click')
  await says('Missing Information')
  await becomes(t, () => [refusalOf('Last name'), refusalOf('City'), refusalOf('State'), refusalOf('First name')], [
    'Please fill in last name',
    'Please fill in city',
    'Please fill in state',
    undefined,
  ])
  fill('Last name', 'Lee')
  t.same([refusalOf('Last name'), refusalOf('City')], [undefined, 'Please fill in city'])
  t.same(heard, [])
})

t.test('asks for the license after the documented fields', (t) => {
  openProfile(t, typedProfile)
  const groups = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  t.same(groups, ['You', 'Where you are', 'Dealership', 'How you trade', 'Dealer license'])
  t.end()
})

t.test('offers provinces and postal codes for Canada and clears the state on a new country', async (t) => {
  const { save } = openProfile(t, { ...typedProfile, state: 'TX' })
  await choose('Country', 'Canada')
  await save()
  await becomes(t, () => [refusalOf('Province'), refusalOf('Postal code')], [
    'Please fill in province',
    'Please fill in postal code',
  ])
})

t.test('marks the fields the server refuses and keeps all input', async (t) => {
  const reasons = [
    refusal(400, 'Zip code has 12 characters at most', ['Zip code']),
    away(),
    answer(SignedIn, { user: aCurrentUser() }),
  ]
  const { save, heard, done } = openProfile(t, { ...typedProfile, state: 'TX', zipCode: '75219' }, () =>
    reasons.shift()!,
  )
  fireEvent.click(screen.getByRole('radio', { name: 'Buyer' }))
  fireEvent.click(await screen.findByRole('radio', { name: 'Yes' }))
  await save()
  await becomes(t, () => refusalOf('ZIP code'), 'Zip code has 12 characters at most')
  await save()
  await says('The database is away')
  t.same(['First name', 'Address', 'ZIP code', 'Dealership name'].map(textIn), [
    'Ann',
    '1 Main Street',
    '75219',
    'Lee Autos',
  ])
  t.same(done, [])
  await save()
  await says('Profile Saved')
  t.same(done, ['saved'])
  t.match(heard[2], { state: 'TX', dealershipType: 'franchise', profileType: 'buyer', buysCanadianVehicles: true })
})

t.test('resets "buys Canadian vehicles" for sellers', async (t) => {
  const draft = { ...typedProfile, state: 'TX', zipCode: '75219', profileType: 'buyer', buysCanadianVehicles: true }
  const { save, heard } = openProfile(t, draft)
  fireEvent.click(screen.getByRole('radio', { name: 'Seller' }))
  await save()
  await becomes(t, () => heard.map(({ buysCanadianVehicles }) => buysCanadianVehicles), [false])
})

t.test('accepts as much text per field as the server', (t) => {
  openProfile(t, typedProfile)
  const bounds = ['First name', 'Last name', 'Phone', 'Address', 'City', 'ZIP code', 'Dealership name'].map(
    (label) => screen.getByLabelText<HTMLInputElement>(label).maxLength,
  )
  const { firstName, lastName, phone, address, city, zipCode, dealershipName } = profileFieldMax
  t.same(bounds, [firstName, lastName, phone, address, city, zipCode, dealershipName])
  t.equal(screen.getByLabelText<HTMLInputElement>('Expires on').max, '9999-12-31', 'a year has four digits')
  t.end()
})

t.test('shows why progress failed to load and continues on Retry', async (t) => {
  const network = fakeNetwork(t)
  const progress: OnboardingProgress = {
    step: 'profile',
    profile: { city: 'Half Typed', email: 'ann@lee.example' },
    planId: null,
    emailCorrectable: false,
  }
  network.use(
    isSignedIn,
    http.get('*/api/onboarding', () => answer(OnboardingProgress, progress)),
  )
  const refuse = refuseFirst(network, '*/api/onboarding')
  show(t, <OnboardingPage />)
  await says('Loading your progress')
  refuse()
  t.match((await screen.findByRole('alert')).textContent, /could not be loaded.*The database is away/)
  t.equal(screen.queryByText('One moment.'), null, 'waiting does not make it appear')
  await press('Retry')
  await screen.findByLabelText('City')
  t.equal(textIn('City'), 'Half Typed')
})

t.test('sends a license with a number and then requires its place and expiry', async (t) => {
  const { save, heard } = openProfile(t, { ...typedProfile, state: 'TX', zipCode: '75219' })
  fill(/^Dealer license number/, 'TX-4711')
  await save()
  await becomes(t, () => [refusalOf('Issued by'), refusalOf('Expires on')], [
    'Choose the state or province that issued the license',
    'Enter the date the license expires',
  ])
  t.same(heard, [])
  await choose('Issued by', 'TX')
  fill('Expires on', '2044-12-31')
  await save()
  await waitFor(() => {
    if (heard.length === 0) throw new Error('not yet')
  })
  t.same(heard[0]?.license, { number: 'TX-4711', state: 'TX', expiresOn: '2044-12-31', scan: null })
})

function openReview(t: Test, me: ReturnType<typeof aCurrentUser>) {
  const network = fakeNetwork(t)
  network.use(
    isSignedIn,
    http.get('*/api/auth/me', () => answer(CurrentUser, me)),
    http.get('*/api/onboarding', () =>
      answer(OnboardingProgress, {
        step: 'plan',
        profile: { ...typedProfile, state: 'AB', email: me.email },
        planId: null,
        emailCorrectable: false,
      }),
    ),
  )
  return show(t, <OnboardingPage />, me)
}

t.test('shows a waiting dealer the review with the editable profile instead of plans', async (t) => {
  openReview(t, aCurrentUser({ admission: 'waiting', email: 'ann@lee.example' }))
  await screen.findByRole('heading', { level: 1, name: 'Your dealership is being reviewed' })
  await says("We'll email ann@lee.example with the decision.")
  await says('None. An admin may ask for one')
  await press('Edit')
  await screen.findByRole('button', { name: 'Save and send for review' })
  t.equal(textIn('City'), 'Calgary')
})

t.test('shows a declined dealer the reason and a contact', async (t) => {
  openReview(t, aCurrentUser({ admission: 'declined', declinedReason: 'No license on record' }))
  await screen.findByRole('heading', { level: 1, name: 'Your dealership was not approved' })
  await says('No license on record')
  t.equal(screen.getByRole('link', { name: 'Contact us' }).getAttribute('href'), '/contact?public')
  t.equal(screen.queryByRole('button', { name: 'Edit' }), null)
})

t.test('keeps license input typed while its scan uploads', async (t) => {
  const { network } = openProfile(t, typedProfile)
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const objectId = '0190a5d0-0000-7000-8000-0000000000cc'
  network.use(
    http.post('*/api/objects/upload', () =>
      answer(UploadTicket, { objectId, uploadURL: `http://localhost/api/objects/${objectId}?ticket=1` }),
    ),
    http.put('*/api/objects/:id', async () => {
      await arrived
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const scan = new File(['bytes'], 'license.pdf', { type: 'application/pdf' })
  fireEvent.change(screen.getByLabelText('Scan of the license'), { target: { files: [scan] } })
  await screen.findByText(/^Uploading/)
  fill(/^Dealer license number/, 'TX-4711')
  arrive()
  await says('View scan')
  t.equal(textIn(/^Dealer license number/), 'TX-4711')
})

t.test('does not undo a completed profile with an older session response', async (t) => {
  const before = aCurrentUser({ profileComplete: false })
  const { network, cache, save } = openProfile(t, { ...typedProfile, state: 'TX', zipCode: '75219' }, () =>
    answer(SignedIn, { user: { ...before, profileComplete: true } }),
  )
  let answerOld = () => {}
  const old = new Promise<void>((resolve) => (answerOld = resolve))
  let asked = 0
  network.use(
    http.get('*/api/auth/me', async () => {
      asked += 1
      await old
      return answer(CurrentUser, before)
    }),
  )
  cache.setQueryData(meQuery().queryKey, before)
  const reading = cache.fetchQuery({ ...meQuery(), staleTime: 0 }).catch(() => undefined)
  await becomes(t, () => asked, 1)
  await save()
  await says('Profile Saved')
  answerOld()
  await reading
  t.equal(cache.getQueryData(meQuery().queryKey)?.profileComplete, true)
})

t.test('does not change the signed-in dealer with a late profile response', async (t) => {
  const [before, other] = [aCurrentUser({ profileComplete: false }), aCurrentUser({ name: 'Somebody Else' })]
  const { network, cache, save } = openProfile(t, { ...typedProfile, state: 'TX', zipCode: '75219' })
  let complete = () => {}
  const completed = new Promise<void>((resolve) => (complete = resolve))
  let asked = 0
  network.use(
    http.post('*/api/auth/complete-profile', async () => {
      asked += 1
      await completed
      return answer(SignedIn, { user: { ...before, profileComplete: true } })
    }),
  )
  cache.setQueryData(meQuery().queryKey, before)
  await save()
  await becomes(t, () => asked, 1)
  cache.setQueryData(meQuery().queryKey, other)
  complete()
  await becomes(t, () => cache.isMutating(), 0)
  t.equal(cache.getQueryData(meQuery().queryKey)?.id, other.id)
})

t.test('sends an empty license, which removes one sent before', async (t) => {
  const { save, heard } = openProfile(t, { ...typedProfile, state: 'TX', zipCode: '75219' })
  await save()
  await becomes(t, () => heard[0]?.license, { number: '', state: '', expiresOn: '', scan: null })
})
