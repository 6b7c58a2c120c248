import { useState } from 'react'
import { changesOf } from '#client/lib/form/changed-values.ts'
import { parseAddress } from '#client/lib/http/older-browsers.ts'
import { useKeptForm } from '#client/lib/storage/kept-forms.ts'
import { type FieldErrors, useFormState } from '#client/ui/form-state.ts'
import { licenseeFields } from '#shared/constants/dealers.ts'
import type { ProfileForm as Form, OwnProfile } from '#shared/schemas/dealers.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { stateOptions } from '#client/ui/state-options.ts'
import { Textarea } from '#client/ui/textarea.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { dealershipTypes } from '#shared/places.ts'
import { capitalize } from '#client/ui/format.ts'
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx'
import { useSaveProfile } from './profile.api.ts'

function toForm({
  email: _email,
  pendingEmail: _pending,
  avatar: _avatar,
  pendingAvatar: _next,
  license: _license,
  ...form
}: OwnProfile): Form {
  return form
}

const usZip = /^\d{5}(-\d{4})?$/
const caZip = /^[A-Za-z]\d[A-Za-z] ?\d[A-Za-z]\d$/

function checkProfile({ name, dealershipName, website, zip, phone }: Form): FieldErrors<Form> {
  const errors: FieldErrors<Form> = {}
  if (name.trim() === '') errors.name = 'Please enter your name'
  if (dealershipName.trim() === '') errors.dealershipName = 'Please enter the dealership name'
  const address = website.trim()
  if (address !== '' && !/^https?:$/.test(parseAddress(address)?.protocol ?? ''))
    errors.website = 'Start with https://, such as https://example.com'
  if (zip.trim() !== '' && !usZip.test(zip.trim()) && !caZip.test(zip.trim()))
    errors.zip = 'Enter a ZIP such as 75201 or a postal code such as M5V 2T6'
  if (phone.trim() !== '' && phone.replaceAll(/\D/g, '').length < 7) errors.phone = 'This number looks too short'
  return errors
}

const typeOptions = dealershipTypes.map((type) => ({ value: type, label: capitalize(type) }))

function useProfileForm(profile: OwnProfile) {
  const save = useSaveProfile()
  // Compare with the profile as it was when the form opened, so that saving does not overwrite changes from elsewhere.
  const [base, setBase] = useState(() => toForm(profile))
  const kept = useKeptForm<Form>('profile', base)
  const form = useFormState<Form>({
    initial: kept.start,
    validate: checkProfile,
    onSubmit: (values) => {
      const changes = changesOf(values, base)
      if (Object.keys(changes).length === 0) return toast({ title: 'Nothing has changed' })
      const saved = ({ license }: OwnProfile) => {
        setBase(values)
        kept.forget(values)
        const rechecked = profile.license.status === 'verified' && license.status === 'waiting'
        const more = rechecked ? '. Lanewire will check your license again' : ''
        toast({ title: 'Saved', description: `Your profile has been updated${more}` })
      }
      save.mutateAsync(changes).then(saved, () => undefined)
    },
    keep: kept.keep,
  })
  const losesVerified =
    profile.license.status === 'verified' &&
    licenseeFields.some((key) => form.values[key] !== base[key] && form.values[key].trim() !== profile[key])
  const startOver = () => {
    kept.forget()
    form.setErrors({})
    setBase(toForm(profile))
    form.setValues(toForm(profile))
  }
  return { form, losesVerified, wasKept: kept.wasKept, startOver, isSaving: save.isPending }
}

type FormState = ReturnType<typeof useProfileForm>['form']

const textOf = (form: FormState, key: Exclude<keyof Form, 'buysCanadianVehicles' | 'dealershipType'>) => ({
  value: form.values[key],
  onChange: (event: { target: { value: string } }) => form.set(key, event.target.value),
})

export function ProfileForm({ profile }: { profile: OwnProfile }) {
  const { form, losesVerified, wasKept, startOver, isSaving } = useProfileForm(profile)
  return (
    <form noValidate onSubmit={form.submit} aria-label="Profile">
      <Card>
        <CardHeader title="Details" />
        <CardBody className="grid grid-cols-2 gap-x-4 gap-y-3 max-md:grid-cols-1">
          <Field label="Name" error={form.errors.name} required>
            <Input autoComplete="name" maxLength={120} {...textOf(form, 'name')} />
          </Field>
          <Field label="Phone" error={form.errors.phone}>
            <Input type="tel" autoComplete="tel" maxLength={40} {...textOf(form, 'phone')} />
          </Field>
          <DealershipFields form={form} />
          <AddressFields form={form} />
          <Field label="Auction Access number" hint="Visible to your connections only">
            <Input maxLength={40} {...textOf(form, 'auctionAccessNumber')} />
          </Field>
          <Field label="Dealership 5 Mil number" hint="Visible to your connections only">
            <Input maxLength={40} {...textOf(form, 'dealership5MilNumber')} />
          </Field>
          <span className="col-span-full">
            <Checkbox
              checked={form.values.buysCanadianVehicles}
              onChange={(on) => form.set('buysCanadianVehicles', on)}
              label="We buy Canadian vehicles"
            />
          </span>
          {losesVerified ? (
            <p role="status" className="col-span-full rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
              Your license was verified for your current name, dealership name and state. If you save this change, your
              Verified badge is hidden until Lanewire checks the license again.
            </p>
          ) : null}
        </CardBody>
        <footer className="flex justify-end border-t border-line px-4 py-3">
          <RestoredDraftNote shown={wasKept} onStartOver={startOver} />
          <Button type="submit" variant="primary" busy={isSaving}>
            {isSaving ? 'Saving...' : 'Save Changes'}
          </Button>
        </footer>
      </Card>
    </form>
  )
}

function DealershipFields({ form }: { form: FormState }) {
  return (
    <>
      <Field label="Dealership name" error={form.errors.dealershipName} required>
        <Input autoComplete="organization" maxLength={160} {...textOf(form, 'dealershipName')} />
      </Field>
      <Field label="Dealership type">
        <Select
          value={form.values.dealershipType}
          onChange={(type) => form.set('dealershipType', type)}
          options={typeOptions}
        />
      </Field>
      <Field label="Website" hint="Include https://" error={form.errors.website} className="col-span-full">
        <Input type="url" autoComplete="url" maxLength={300} {...textOf(form, 'website')} />
      </Field>
      <Field label="Description" hint="What you buy and sell" error={form.errors.description} className="col-span-full">
        <Textarea rows={4} maxLength={2_000} {...textOf(form, 'description')} />
      </Field>
    </>
  )
}

function AddressFields({ form }: { form: FormState }) {
  return (
    <>
      <Field label="Address" error={form.errors.address} className="col-span-full">
        <Input autoComplete="street-address" maxLength={200} {...textOf(form, 'address')} />
      </Field>
      <Field label="City" error={form.errors.city}>
        <Input autoComplete="address-level2" maxLength={120} {...textOf(form, 'city')} />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="State" error={form.errors.state}>
          <Select
            value={form.values.state}
            placeholder="Choose"
            onChange={(state) => form.set('state', state)}
            options={stateOptions}
          />
        </Field>
        <Field label="ZIP" error={form.errors.zip}>
          <Input autoComplete="postal-code" maxLength={12} {...textOf(form, 'zip')} />
        </Field>
      </div>
    </>
  )
}
