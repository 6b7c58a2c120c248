import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t from 'tap'
import Type from 'typebox'
import { LicenseForm } from '#client/features/dealers/license-form.tsx'
import { ProfileForm } from '#client/features/dealers/profile-form.tsx'
import { ProfileActions } from '#client/features/dealers/profile-actions.tsx'
import { dealerProfileQuery } from '#client/features/dealers/profile.api.ts'
import { DealerProfile, OwnNetwork, OwnProfile, ProfilePatch } from '#shared/schemas/dealers.ts'
import { fill, press, refusalOf } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, sent } from '#tests/support/network.ts'
import { aDealer, anOwnProfile } from '#tests/support/records.ts'

const asked: DealerProfile = {
  ...aDealer({ name: 'Priya Nair' }),
  connected: false,
  degree: null,
  mutualConnections: 0,
  description: '',
  website: null,
  memberSince: '2026-01-20T10:00:00.000Z',
  ratingCount: 0,
  contact: null,
  tradeNumbers: null,
  mutual: [],
  requestId: randomUUID(),
  stats: { deals: 0, volume: 0, averageDaysToClose: null },
  achievements: [],
}

function Actions() {
  const { data } = useQuery(dealerProfileQuery(asked.id))
  return data ? <ProfileActions profile={data} onMessage={() => undefined} /> : null
}

t.test('focuses Connect after a request is declined on a profile', async (t) => {
  let profile = asked
  fakeNetwork(t).use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })),
    http.get(`*/api/dealers/${asked.id}`, () => answer(DealerProfile, profile)),
    http.post(`*/api/connections/requests/${asked.requestId}/decline`, () => {
      profile = { ...asked, requestId: null }
      return answer(Type.Object({}), {})
    }),
  )
  show(t, <Actions />)
  const decline = await screen.findByRole('button', { name: 'Decline' })
  decline.focus()
  fireEvent.click(decline)
  await becomes(t, () => document.activeElement?.textContent, 'Connect')
})

t.test('focuses the missing field of a license', async (t) => {
  fakeNetwork(t)
  const license = { number: '', state: 'TX', expiresOn: '', scan: null, status: 'none', reason: '' } as const
  show(t, <LicenseForm profile={{ license } as OwnProfile} />)
  fill(/^Dealer license number/, 'P-1')
  fireEvent.submit(screen.getByRole('form', { name: 'Dealer license' }))
  t.equal(refusalOf('Expires on'), 'Enter the date the license expires')
  t.equal(document.activeElement?.id, screen.getByLabelText('Expires on').id)
})

t.test('warns a verified dealer that a new name costs the badge', async (t) => {
  fakeNetwork(t)
  const license = {
    number: 'P-1',
    state: 'TX',
    expiresOn: '2044-12-31',
    scan: null,
    status: 'verified',
    reason: '',
  } as const
  show(t, <ProfileForm profile={{ ...anOwnProfile, license }} />)
  const warning = () => screen.queryByText(/Verified badge is hidden until/)
  fill('Phone', '214 555 0100')
  t.equal(warning(), null)
  fill(/^Dealership name/, 'Bought Motors')
  t.ok(warning())
})

t.test('saves only edited fields, so that a change from elsewhere stays', async (t) => {
  const heard: ProfilePatch[] = []
  fakeNetwork(t).use(
    http.patch('*/api/profile', async ({ request }) => {
      heard.push(await sent(ProfilePatch, request))
      return answer(OwnProfile, anOwnProfile)
    }),
  )
  t.teardown(() => sessionStorage.clear())
  function Live() {
    const [profile, setProfile] = useState(anOwnProfile)
    return (
      <>
        <ProfileForm profile={profile} />
        <button onClick={() => setProfile({ ...anOwnProfile, phone: '214 555 0199' })}>Change elsewhere</button>
      </>
    )
  }
  show(t, <Live />)
  await press('Save Changes')
  t.ok(await screen.findByText('Nothing has changed'))
  fill('Description', 'Trucks since 1999')
  await press('Change elsewhere')
  await press('Save Changes')
  await becomes(t, () => heard, [{ description: 'Trucks since 1999' }])
  await screen.findByText('Saved')
  fill('Description', 'Trucks')
  await press('Save Changes')
  await becomes(t, () => heard[1], { description: 'Trucks' })
})
