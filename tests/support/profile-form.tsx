import { show } from './screen.tsx'
import type { Test } from 'tap'
import { checkLicense, LicenseFields } from '#client/features/dealers/license-fields.tsx'
import { ProfileForm } from '#client/features/onboarding/profile-form.tsx'
import type { License } from '#shared/schemas/dealers.ts'
import { CompleteProfile, OnboardingPatch, type ProfileDraft } from '#shared/schemas/onboarding.ts'
import { press } from './controls.ts'
import { away, fakeNetwork, http, HttpResponse, sent } from './network.ts'

export const typedProfile: ProfileDraft = {
  firstName: 'Ann',
  lastName: 'Lee',
  phone: '(403) 555-0100',
  address: '1 Main Street',
  city: 'Calgary',
  country: 'US',
  dealershipName: 'Lee Autos',
  dealershipType: 'franchise',
  auctionAccessNumber: '5123456',
  dealership5MilNumber: '5012345',
}

/** Opens the profile form. `kept` collects the drafts that the form saves. */
export function openProfile(t: Test, draft: ProfileDraft, complete: (profile: CompleteProfile) => Response = away) {
  const kept: OnboardingPatch[] = []
  const heard: CompleteProfile[] = []
  const done: string[] = []
  const network = fakeNetwork(t)
  network.use(
    http.patch('*/api/onboarding', async ({ request }) => {
      kept.push(await sent(OnboardingPatch, request))
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('*/api/auth/complete-profile', async ({ request }) => {
      heard.push(await sent(CompleteProfile, request))
      return complete(heard[0]!)
    }),
  )
  const asks = { onChangeEmail: () => void done.push('change email'), onSaved: () => void done.push('saved') }
  const license = {
    checkLicense,
    renderLicense: (value: License, onChange: (value: License) => void, errors: object) => (
      <LicenseFields value={value} errors={errors} onChange={onChange} />
    ),
  }
  const screenOf = show(t, <ProfileForm draft={draft} email="ann@lee.example" demo={false} {...asks} {...license} />)
  const save = () => press('Save and choose a plan')
  return { ...screenOf, network, kept, heard, done, save }
}
