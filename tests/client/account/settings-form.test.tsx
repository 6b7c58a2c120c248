import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t from 'tap'
import { Link } from 'wouter'
import { SettingsSection } from '#client/features/account/settings-section.tsx'
import { choose, gone, press, says } from '#tests/support/controls.ts'
import { away } from '#tests/support/network.ts'
import { openSettings } from '#tests/support/settings.tsx'

const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })

t.test('holds the eight documented toggles and two selects in the first card, in their order', async (t) => {
  openSettings(t, async () => undefined)
  const form = (await screen.findByRole('region', { name: 'Settings' })).querySelector('form')
  t.same(
    [...(form?.querySelectorAll('label') ?? [])].map(({ textContent }) => textContent),
    [
      'Email notifications',
      'Push notifications',
      'Deal alerts',
      'Message alerts',
      'Auto-refresh',
      'Profile visibility',
      'Online status',
      'Contact sharing',
      'Inventory view',
      'Items per page',
    ],
  )
})

t.test('saves the first card by its button, which is enabled once something changed', async (t) => {
  const { heard, on, toggle } = openSettings(t, async () => undefined)
  await screen.findByRole('button', { name: 'Save' })
  t.equal(saveButton().disabled, true)
  await toggle('Contact sharing')
  await says('Unsaved changes')
  await toggle('Contact sharing')
  await gone(t, 'Unsaved changes')
  t.equal(saveButton().disabled, true, 'nothing differs from what is saved')
  await toggle('Contact sharing')
  await choose('Inventory view', 'Compact')
  await choose('Items per page', '50')
  t.same(heard, [], 'nothing is sent before the press')
  await press('Save')
  await says('Settings saved')
  t.same(heard, [{ contactSharing: true, inventoryView: 'compact', itemsPerPage: 50 }])
  t.equal(on('Contact sharing'), true)
  await becomes(t, () => saveButton().disabled, true)
})

t.test('keeps refused changes of the first card, for another press', async (t) => {
  let refuse = true
  const { heard, on, toggle } = openSettings(t, async () => (refuse ? away() : undefined))
  await toggle('Deal alerts')
  await press('Save')
  await says('Not saved')
  await becomes(t, () => [on('Deal alerts'), saveButton().disabled], [false, false])
  refuse = false
  await press('Save')
  await says('Settings saved')
  t.equal(heard.length, 2)
})

t.test('asks before changes of the first card are left unsaved', async (t) => {
  const { toggle, history } = openSettings(t, async () => undefined, <Link href="/dealers">Network</Link>)
  const closes = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await screen.findByText('Network')
  t.equal(closes(), false, 'without changes')
  await toggle('Contact sharing')
  t.equal(closes(), true, 'the browser asks before the tab closes')
  fireEvent.click(screen.getByText('Network'))
  await says('Leave without saving?')
  await press('Stay')
  await gone(t, 'Leave without saving?')
  t.equal(history.at(-1), '/')
  fireEvent.click(screen.getByText('Network'))
  await press('Leave')
  await becomes(t, () => history.at(-1), '/dealers')
})

t.test('keeps a section closed until it is opened, by a press or by a link', async (t) => {
  const section = (
    <SettingsSection name="security" title="Security" hint="Password and sessions">
      <p>Inside</p>
    </SettingsSection>
  )
  show(t, section)
  t.equal(screen.queryByText('Inside'), null)
  await press(/^Security/)
  await says('Inside')
  await press(/^Security/)
  await gone(t, 'Inside')
  window.location.hash = '#security'
  await says('Inside')
  window.location.hash = ''
})
