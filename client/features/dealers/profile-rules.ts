import type { FieldErrors } from '#client/ui/form-state.ts'
import type { OwnProfile, ProfileForm } from '#shared/schemas/profile.ts'

/** The part of one's own profile that the form edits. */
export function toForm({
  email: _email,
  pendingEmail: _pending,
  avatar: _avatar,
  pendingAvatar: _next,
  ...form
}: OwnProfile): ProfileForm {
  return form
}

const usZip = /^\d{5}(-\d{4})?$/
const caZip = /^[A-Za-z]\d[A-Za-z] ?\d[A-Za-z]\d$/

/** What is wrong, by field; the server has the last word. */
export function checkProfile({ name, dealershipName, website, zip, phone }: ProfileForm): FieldErrors<ProfileForm> {
  const errors: FieldErrors<ProfileForm> = {}
  if (name.trim() === '') errors.name = 'Please enter your name'
  if (dealershipName.trim() === '') errors.dealershipName = 'Please enter the dealership name'
  const address = website.trim()
  if (address !== '' && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    errors.website = 'Start with https://, as in https://example.com'
  if (zip.trim() !== '' && !usZip.test(zip.trim()) && !caZip.test(zip.trim()))
    errors.zip = 'A ZIP such as 75201 or a postal code such as M5V 2T6'
  if (phone.trim() !== '' && phone.replaceAll(/\D/g, '').length < 7) errors.phone = 'This number looks too short'
  return errors
}
