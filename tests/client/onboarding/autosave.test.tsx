import { becomes } from '#tests/support/screen.tsx'
import { act, screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { authStatusKey } from '#client/lib/query/query-keys.ts'
import { OnboardingPatch } from '#shared/schemas/onboarding.ts'
import { fill, refusalOf } from '#tests/support/controls.ts'
import { away, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'
import { patienceMs } from '#tests/support/patience.ts'
import { openProfile, typedProfile } from '#tests/support/profile-form.tsx'
import { anAuthStatus } from '#tests/support/records.ts'
import { stopTime } from '#tests/support/stopped-time.ts'

t.test('saves typed input to the server shortly after, in one call', async (t) => {
  const { kept } = openProfile(t, typedProfile)
  fill('City', 'Banff')
  fill('Address', '2 Side Street')
  await becomes(t, () => kept, [{ profile: { city: 'Banff', address: '2 Side Street' } }])
})

t.test('includes the input of a failed save in the next one', async (t) => {
  const { network } = openProfile(t, typedProfile)
  const heard: OnboardingPatch[] = []
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  network.use(
    http.patch('*/api/onboarding', async ({ request }) => {
      heard.push(await sent(OnboardingPatch, request))
      if (heard.length > 1) return new HttpResponse(null, { status: 204 })
      await refused
      return away()
    }),
  )
  fill('City', 'Banff')
  fill('First name', 'Anne')
  await becomes(t, () => heard.length, 1)
  fill('City', 'Jasper')
  refuse()
  await becomes(t, () => heard[1]?.profile, { city: 'Jasper', firstName: 'Anne' })
})

t.test('marks a refused field and saves all others', async (t) => {
  const { network } = openProfile(t, typedProfile)
  const heard: OnboardingPatch[] = []
  network.use(
    http.patch('*/api/onboarding', async ({ request }) => {
      const patch = (await request.json()) as OnboardingPatch
      if (patch.profile?.lastName === 'refused') return refusal(400, 'Last name is too long', ['Last name'])
      if (patch.profile?.license) return refusal(400, 'Expires on is too long', ['Expires on'])
      heard.push(patch)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  fill('Last name', 'refused')
  fill('City', 'Banff')
  await becomes(t, () => [refusalOf('Last name'), refusalOf('City')], ['Last name is too long', undefined])
  fill('Address', '2 Side Street')
  fill('Expires on', '2044-12-31')
  await becomes(t, () => refusalOf('Expires on'), 'Expires on is too long')
  fill('Last name', 'Lee')
  await becomes(t, () => heard.map(({ profile }) => profile), [
    { city: 'Banff' },
    { address: '2 Side Street' },
    { lastName: 'Lee' },
  ])
  t.equal(refusalOf('Last name'), undefined)
})

t.test('does not mark a field corrected before its refusal arrived', async (t) => {
  const { network } = openProfile(t, typedProfile)
  const heard: OnboardingPatch[] = []
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  network.use(
    http.patch('*/api/onboarding', async ({ request }) => {
      heard.push(await sent(OnboardingPatch, request))
      if (heard.length > 1) return new HttpResponse(null, { status: 204 })
      await refused
      return refusal(400, 'City is too long', ['City'])
    }),
  )
  fill('City', 'Banff')
  fill('First name', 'Anne')
  await becomes(t, () => heard.length, 1)
  fill('City', 'Jasper')
  refuse()
  await becomes(t, () => heard[1]?.profile, { firstName: 'Anne', city: 'Jasper' })
  t.equal(refusalOf('City'), undefined)
})

t.test('saves the last input even if the page is left at once', async (t) => {
  const { network, kept } = openProfile(t, typedProfile)
  const outlive: boolean[] = []
  network.events.on('request:start', ({ request }) => void outlive.push(request.keepalive))
  fill('City', 'Banff')
  act(() => void window.dispatchEvent(new Event('pagehide')))
  await becomes(t, () => kept, [{ profile: { city: 'Banff' } }])
  t.same(outlive, [true])
})

/** Opens the form with stopped time. The server returns `answers` in order, and accepts all later saves. */
function openStopped(t: Test, ...answers: (() => Response | Promise<Response>)[]) {
  const time = stopTime(t)
  const form = openProfile(t, typedProfile)
  const heard: OnboardingPatch[] = []
  form.network.use(
    http.patch('*/api/onboarding', async ({ request }) => {
      heard.push(await sent(OnboardingPatch, request))
      return (await answers.shift()?.()) ?? new HttpResponse(null, { status: 204 })
    }),
  )
  return { ...form, heard, pass: (ms: number) => act(() => time.tick(ms)) }
}

/** Waits without a timer, because time is stopped. */
async function turns(what: string, isTrue: () => boolean): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (!isTrue()) {
    if (performance.now() > endMs) throw new Error(`waited for ${what}`)
    await act(() => new Promise<void>((resolve) => void setImmediate(resolve)))
  }
}

const isShown = (words: string) => screen.queryByText(words) !== null
const shows = (words: string) => turns(`“${words}”`, () => isShown(words))
const hides = (words: string) => turns(`“${words}” to disappear`, () => !isShown(words))

const typingMs = 500
const firstRetryMs = 1_250
const longMs = 120_000
const notYet = 'Not saved yet. Trying again.'
const city = { profile: { city: 'Banff' } }
const cityAndAddress = { profile: { city: 'Banff', address: '2 Side Street' } }

t.test('retries after an outage without another change, and says so until it is saved', async (t) => {
  const { heard, pass } = openStopped(t, away)
  fill('City', 'Banff')
  pass(typingMs)
  await shows(notYet)
  t.equal(heard.length, 1)
  pass(firstRetryMs)
  await hides(notYet)
  pass(longMs)
  t.same(heard, [city, city])
})

t.test('retries at once when the connection is back', async (t) => {
  const { heard, pass } = openStopped(t, HttpResponse.error)
  fill('City', 'Banff')
  pass(typingMs)
  await shows(notYet)
  act(() => void window.dispatchEvent(new Event('online')))
  await hides(notYet)
  t.same(heard, [city, city])
})

t.test('shows why a save was refused and sends it again only after the next change', async (t) => {
  const { heard, pass } = openStopped(t, () => refusal(403, 'This account is suspended'))
  fill('City', 'Banff')
  pass(typingMs)
  await shows('Not saved. This account is suspended')
  pass(longMs)
  fill('Address', '2 Side Street')
  pass(typingMs)
  await hides('Not saved. This account is suspended')
  t.same(heard, [city, cityAndAddress])
})

t.test('sends a change that was made during a refused save', async (t) => {
  let refuse = () => {}
  const refused = new Promise<Response>((resolve) => (refuse = () => resolve(refusal(403, 'Not now'))))
  const { heard, pass } = openStopped(t, () => refused)
  fill('City', 'Banff')
  pass(typingMs)
  await turns('the first save', () => heard.length === 1)
  fill('Address', '2 Side Street')
  pass(typingMs)
  refuse()
  await turns('the second save', () => heard.length === 2)
  t.same(heard, [city, cityAndAddress])
})

t.test('checks the session if a save is refused because it ended', async (t) => {
  const { cache, pass } = openStopped(t, () => refusal(401, 'Please log in'))
  cache.setQueryData(authStatusKey, anAuthStatus())
  fill('City', 'Banff')
  pass(typingMs)
  await turns('the check', () => cache.getQueryState(authStatusKey)?.isInvalidated === true)
})

t.test('stops retrying when the form is left', async (t) => {
  const { heard, pass, unmount } = openStopped(t, away, away, away)
  fill('City', 'Banff')
  pass(typingMs)
  await shows(notYet)
  unmount()
  await turns('the last save', () => heard.length === 2)
  // When a later request has its response, the form has received the response to its last save.
  const later = () => fetch('/api/onboarding', { method: 'PATCH', body: '{}' })
  await later()
  pass(longMs)
  await later()
  t.same(heard, [city, city, {}, {}])
})
