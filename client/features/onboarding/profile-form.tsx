import CloudOff from 'lucide-react/icons/cloud-off'
import { type FormEvent, type ReactNode, useState } from 'react'
import { requiredProfileFields } from '#shared/constants/onboarding.ts'
import type { ProfileDraft } from '#shared/schemas/onboarding.ts'
import type { License } from '#shared/schemas/dealers.ts'
import { refusedField } from '#client/lib/http/api.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { type FieldErrors, useRefusal } from '#client/ui/form-state.ts'
import { TestingBox } from '#client/ui/testing-box.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { useCompleteProfile, useEmailCorrectable } from './onboarding.api.ts'
import { AddressFields, DealershipFields, PersonFields, RoleFields } from './profile-fields.tsx'
import { SignInEmail, useEmailCorrection } from './sign-in-email.tsx'
import { dummyProfile, fromDraft, toProfile, validateProfile, type ProfileValues } from './profile-values.ts'
import { type SaveFailure, useSaveProgress } from './use-save-progress.ts'

type LicenseFaults = FieldErrors<{ licenseState: string; licenseExpiresOn: string }>

interface ProfileFormProps {
  draft: ProfileDraft
  email: string
  /** True if the address was unconfirmed when the page was loaded. */
  emailCorrectable?: boolean
  onChangeEmail: () => void
  demo: boolean
  /** Renders the license fields, which belong to another feature. */
  renderLicense: (license: License, onChange: (license: License) => void, errors: LicenseFaults) => ReactNode
  checkLicense: (license: License) => LicenseFaults
  onSaved: () => void
  reviewed?: boolean
}

function nextOf(reviewed: boolean, billing: boolean): { press: string; toastText: string } {
  if (reviewed) return { press: 'Save and send for review', toastText: 'An admin will review it now' }
  if (billing) return { press: 'Save and choose a plan', toastText: "Now let's choose your subscription plan" }
  return { press: 'Save', toastText: 'Welcome to the network' }
}

export function ProfileForm(props: ProfileFormProps) {
  const { email, onChangeEmail, demo, renderLicense, reviewed = false } = props
  const next = nextOf(reviewed, useBilling())
  const emailCorrectable = useEmailCorrectable(props.emailCorrectable ?? false, reviewed)
  const form = useProfileForm({ ...props, emailCorrectable })
  const fill = () => {
    form.change(dummyProfile)
    toast({ title: 'Dummy Data Loaded', description: 'The form is filled with sample data' })
  }
  return (
    <form noValidate onSubmit={(event) => void form.submit(event)} aria-label="Dealer profile" className="space-y-3">
      <Group title="You">
        <PersonFields
          {...form}
          email={
            <SignInEmail
              email={email}
              correction={emailCorrectable ? form.correction : undefined}
              onChangeEmail={onChangeEmail}
            />
          }
        />
      </Group>
      <Group title="Where you are">
        <AddressFields {...form} />
      </Group>
      <Group title="Dealership">
        <DealershipFields {...form} />
      </Group>
      <Group title="How you trade">
        <RoleFields {...form} />
      </Group>
      <Group title="Dealer license">
        <p className="mb-3 text-ink-2">
          {reviewed
            ? 'An admin checks your license first. Once it is verified, your profile and posts show a Verified badge.'
            : 'Optional for now. Once we verify it, your profile and posts show a Verified badge.'}
        </p>
        {renderLicense(form.values.license, (license) => form.change({ license }), form.licenseErrors)}
      </Group>
      <div className="space-y-3 max-md:px-4">
        <Button type="submit" variant="primary" size="lg" block busy={form.busy}>
          {form.busy ? 'Saving...' : next.press}
        </Button>
        {demo ? (
          <TestingBox>
            <Button size="sm" onClick={fill}>
              Fill Dummy Data
            </Button>
          </TestingBox>
        ) : null}
      </div>
      {form.saveFailure ? <NotSaved {...form.saveFailure} /> : null}
    </form>
  )
}

/** Sticks to the bottom of the screen, because the form is longer than most screens. */
function NotSaved({ isRetried, reason }: SaveFailure) {
  return (
    <p
      role="status"
      data-bottom-bar
      className={cx(
        'bottom-3 z-10 flex items-center gap-2 rounded-md border px-3 py-2 font-medium shadow-2 max-md:mx-4 tall:sticky',
        isRetried
          ? 'border-warning-line bg-warning-soft text-warning-ink'
          : 'border-danger-line bg-danger-soft text-danger-ink',
      )}
    >
      <CloudOff size={16} aria-hidden="true" />
      {isRetried ? 'Not saved yet. Trying again.' : `Not saved. ${reason}`}
    </p>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card aria-label={title} className="p-5 max-md:p-4">
      <h2 className="mb-3 text-base font-semibold">{title}</h2>
      {children}
    </Card>
  )
}

function useProfileForm(props: ProfileFormProps) {
  const { draft, email, emailCorrectable = false, checkLicense, onSaved, reviewed = false } = props
  const [values, setValues] = useState(() => fromDraft(draft))
  const [errors, setErrors] = useState<FieldErrors<ProfileValues>>({})
  const [licenseErrors, setLicenseErrors] = useState<LicenseFaults>({})
  const focusWrong = useRefusal()
  const billing = useBilling()
  const { save, failure: saveFailure } = useSaveProgress(({ license, ...fields }) => {
    setErrors((current) => ({ ...current, ...fields }))
    if (license !== undefined) setLicenseErrors({ licenseExpiresOn: license })
  })
  const complete = useCompleteProfile()
  const correction = useEmailCorrection(email)
  const change = (patch: Partial<ProfileValues>) => {
    setValues((current) => ({ ...current, ...patch }))
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([field]) => !(field in patch))))
    if (patch.license) setLicenseErrors({})
    save({ profile: patch })
  }
  const refuse = (found: FieldErrors<ProfileValues>, form: HTMLFormElement) => {
    setErrors(found)
    const [first] = Object.values(found)
    toast({ title: 'Missing Information', description: first ?? '', variant: 'destructive' })
    focusWrong(form)
  }
  const refuseLicense = (wrong: LicenseFaults, form: HTMLFormElement) => {
    toast({ title: 'Dealer license', description: Object.values(wrong)[0] ?? '', variant: 'destructive' })
    focusWrong(form)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = validateProfile(values)
    const profile = toProfile(values, email)
    const wrong = checkLicense(values.license)
    setLicenseErrors(wrong)
    if (Object.keys(found).length > 0 || !profile) return refuse(found, form)
    if (Object.keys(wrong).length > 0) return refuseLicense(wrong, form)
    // If the address was confirmed meanwhile, the typed correction is no longer shown.
    if (emailCorrectable && !(await correction.save())) return focusWrong(form)
    complete.mutate(profile, {
      onSuccess: () => {
        toast({ title: 'Profile Saved', description: nextOf(reviewed, billing).toastText })
        onSaved()
      },
      onError: (error) => {
        setLicenseErrors(refusedField(error, ['licenseState', 'licenseExpiresOn']))
        setErrors(
          refusedField(
            error,
            requiredProfileFields.map(([field]) => field),
          ),
        )
        toastFailure('Error', error, 'Failed to save profile')
      },
    })
  }
  const busy = complete.isPending || correction.busy
  return { values, errors, licenseErrors, saveFailure, correction, change, submit, busy }
}
