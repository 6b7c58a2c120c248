import { type FormEvent, type ReactNode, useState } from 'react'
import { requiredProfileFields, type ProfileDraft } from '#shared/schemas/onboarding.ts'
import { refusedField } from '#client/lib/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { TestAid } from '#client/ui/test-aid.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { useCompleteProfile, useSaveProgress } from './onboarding.api.ts'
import { AddressFields, DealershipFields, PersonFields, RoleFields } from './profile-fields.tsx'
import { dummyProfile, fromDraft, toProfile, validateProfile, type ProfileValues } from './profile-values.ts'

interface ProfileFormProps {
  draft: ProfileDraft
  /** The account's. */
  email: string
  onChangeEmail: () => void
  /** Test aids are allowed. */
  demo: boolean
  onSaved: () => void
}

/** Step 1. What is typed is kept on the server as it is typed. */
export function ProfileForm({ draft, email, onChangeEmail, demo, onSaved }: ProfileFormProps) {
  const form = useProfileForm(draft, email, onSaved)
  const fill = () => {
    form.change(dummyProfile)
    toast({ title: 'Dummy Data Loaded', description: 'The form is filled with sample data' })
  }
  return (
    <form noValidate onSubmit={form.submit} aria-label="Dealer profile" className="space-y-3">
      <Group title="You">
        <PersonFields {...form} email={email} onChangeEmail={onChangeEmail} />
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
      <div className="space-y-3 max-md:px-4">
        <Button type="submit" variant="primary" size="lg" block busy={form.busy}>
          {form.busy ? 'Saving...' : 'Save and choose a plan'}
        </Button>
        {demo ? (
          <TestAid>
            <Button size="sm" onClick={fill}>
              Fill Dummy Data
            </Button>
          </TestAid>
        ) : null}
      </div>
    </form>
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

function useProfileForm(draft: ProfileDraft, email: string, onSaved: () => void) {
  const [values, setValues] = useState(() => fromDraft(draft))
  const [errors, setErrors] = useState<FieldErrors<ProfileValues>>({})
  const save = useSaveProgress()
  const complete = useCompleteProfile()
  const change = (patch: Partial<ProfileValues>) => {
    setValues((current) => ({ ...current, ...patch }))
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([field]) => !(field in patch))))
    save({ profile: patch })
  }
  const refuse = (found: FieldErrors<ProfileValues>, form: HTMLFormElement) => {
    setErrors(found)
    const [first] = Object.values(found)
    toast({ title: 'Missing Information', description: first ?? '', variant: 'destructive' })
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = validateProfile(values)
    const profile = toProfile(values, email)
    if (Object.keys(found).length > 0 || !profile) return refuse(found, event.currentTarget)
    complete.mutate(profile, {
      onSuccess: () => {
        toast({ title: 'Profile Saved', description: "Now let's choose your subscription plan" })
        onSaved()
      },
      onError: (error) => {
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
  return { values, errors, change, submit, busy: complete.isPending }
}
