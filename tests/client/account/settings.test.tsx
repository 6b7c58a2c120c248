import { becomes, show } from '#tests/support/screen.tsx'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { SettingsAccount } from '#client/features/account/settings-account.tsx'
import { AccountSecurity as SecurityCards } from '#client/features/auth/security/account-security.tsx'
import { useSaveSettings } from '#client/features/account/settings.api.ts'
import { meQuery } from '#client/features/auth/auth.api.ts'
import { meKey } from '#client/lib/query/query-keys.ts'
import { rememberWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { AuthStatus } from '#shared/schemas/auth.ts'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { AccountDeletion, AccountSecurity, type SessionInfo, Settings } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { choose, dialogOpen, fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'
import { openSettings } from '#tests/support/settings.tsx'
import { aCurrentUser, anAuthStatus } from '#tests/support/records.ts'

t.test('applies a switch at once, saves it and confirms it', async (t) => {
  let save = () => {}
  const saving = new Promise<undefined>((resolve) => (save = () => resolve(undefined)))
  const { heard, on, toggle } = openSettings(t, () => saving)
  await toggle('One-tap bids')
  await becomes(t, () => on('One-tap bids'), true)
  t.equal(screen.queryByText('Saved'), null)
  save()
  await says('Saved')
  t.same([on('One-tap bids'), on('Read receipts')], [true, true])
  t.same(heard, [{ oneTapBids: true }])
})

t.test('undoes a refused change and shows the reason', async (t) => {
  const { on, toggle } = openSettings(t, async () => away())
  await toggle('Read receipts')
  await says('Not saved')
  await says('The database is away')
  await becomes(t, () => on('Read receipts'), true)
})

t.test('undoes only the refused ones of quick changes', async (t) => {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const { heard, on, toggle } = openSettings(t, async (patch) => {
    await begun
    return 'deal' in (patch.notifications ?? {}) || 'readReceipts' in patch ? away() : undefined
  })
  const labels = ['Read receipts', 'Deal updates: Email', 'Outbid: Email', 'Typing indicators']
  for (const label of labels) await toggle(label)
  await becomes(t, () => labels.map(on), [false, false, false, false])
  // The setting is toggled back before the first change is sent, so neither change is sent.
  await toggle('Read receipts')
  await becomes(t, () => on('Read receipts'), true)
  begin()
  await becomes(t, () => heard.length, 5)
  await becomes(t, () => labels.map(on), [true, true, false, false])
})

t.test('keeps both of two simultaneous changes', async (t) => {
  const { heard } = openSettings(t, async () => undefined)
  const [email, push] = await Promise.all(['Email', 'Push'].map((one) => screen.findByLabelText(`Outbid: ${one}`)))
  // Click both in one batch, without a render in between.
  act(() => {
    email?.click()
    push?.click()
  })
  await becomes(t, () => heard, [
    { notifications: { outbid: { inApp: true, email: false, push: true } } },
    { notifications: { outbid: { inApp: true, email: false, push: false } } },
  ])
  fireEvent.click(screen.getByLabelText('Quiet hours'))
  const [from, to] = await Promise.all(['From', 'To'].map((one) => screen.findByLabelText(one)))
  act(() => {
    if (from) fireEvent.change(from, { target: { value: '21:30' } })
    if (to) fireEvent.change(to, { target: { value: '06:30' } })
  })
  await becomes(t, () => [heard.at(-1)?.quietHours?.from, heard.at(-1)?.quietHours?.to], ['21:30', '06:30'])
})

t.test('sends a notification kind with its other channels, and quiet hours with their time zone', async (t) => {
  const { heard, toggle } = openSettings(t, async () => undefined)
  await toggle('Accepted connections: Push')
  await becomes(t, () => heard.at(-1), { notifications: { accepted: { inApp: true, email: false, push: true } } })
  await toggle('Quiet hours')
  await screen.findByLabelText('From')
  fill('From', '')
  fill('From', '21:30')
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const quietHours = { on: true, from: '21:30', to: '07:00', timeZone }
  await becomes(t, () => heard.at(-1), { quietHours: { ...quietHours, urgent: false } })
  t.equal(heard.length, 3, 'an emptied time is not sent')
  await toggle('Allow outbid and won auctions')
  await becomes(t, () => heard.at(-1), { quietHours: { ...quietHours, urgent: true } })
})

const clockHere = () => ({
  quietHours: { ...settingsOf({}).quietHours, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
})

t.test('sends each list choice, and 8 a.m. by the shown clock', async (t) => {
  const { heard } = openSettings(t, async () => undefined)
  await screen.findByText('Theme')
  await choose('Email delivery', 'Daily digest at 8:00 AM')
  await choose('Theme', 'Dark')
  await becomes(t, () => heard, [{ emailDelivery: 'daily', ...clockHere() }, { theme: 'dark' }])
})

function openAccount(t: Test, hasPassword?: boolean, deleted = () => refusal(403, 'This is not your password')) {
  const heard: AccountDeletion[] = []
  fakeNetwork(t).use(
    http.get('*/api/account/export', () => HttpResponse.json({ export: null })),
    http.delete('*/api/account', async ({ request }) => {
      heard.push(await sent(AccountDeletion, request))
      return deleted()
    }),
  )
  show(t, <SettingsAccount hasPassword={hasPassword} />, aCurrentUser({ email: 'dana@torresauto.example' }))
  return heard
}

t.test('saves each Lane switch by itself and the day limit by its button', async (t) => {
  let refuse = false
  const { heard, on, toggle } = openSettings(t, async () => (refuse ? away() : undefined))
  const switches = ['Add auctions I bid on to Lane', 'Refill empty positions', 'Sound', 'Keys']
  for (const name of switches) {
    await toggle(name)
    await becomes(t, () => on(name), name === 'Sound')
  }
  await becomes(t, () => heard.length, 4)
  for (const wrong of ['some', '0', '-5', '100,000,000']) {
    fill('Day limit', wrong)
    await press('Save limit')
    await becomes(t, () => refusalOf('Day limit'), 'Enter an amount in dollars')
  }
  fill('Day limit', '$25,000')
  refuse = true
  await press('Save limit')
  await says('The database is away')
  t.same([textIn('Day limit'), refusalOf('Day limit')], ['$25,000', undefined])
  refuse = false
  await press('Save limit')
  await becomes(t, () => heard.length, 6)
  fill('Day limit', ' ')
  await press('Save limit')
  await becomes(t, () => heard.length, 7)
  t.same(heard, [
    ...['autoPin', 'refill', 'sound', 'keys'].map((name) => ({ lane: { [name]: name === 'sound' } })),
    ...[25_000, 25_000].map((dayLimit) => ({ lane: { dayLimit }, ...clockHere() })),
    { lane: { dayLimit: null } },
  ])
})

t.test('deletes an account after its email and password are typed, and keeps both after a refusal', async (t) => {
  const heard = openAccount(t, true)
  await press('Delete account')
  fill('Your email', 'somebody@else.example')
  await press('Delete my account')
  await becomes(t, () => [refusalOf('Your email'), refusalOf('Your password')], [
    'Type dana@torresauto.example to continue',
    'Please enter your password',
  ])
  t.same(heard, [])
  fill('Your email', 'Dana@TorresAuto.example')
  fill('Your password', 'seven quiet lorries')
  await press('Delete my account')
  const alert = await screen.findByRole('alert')
  t.match(alert.textContent, /The account was not deleted.*This is not your password/)
  t.same([textIn('Your email'), textIn('Your password')], ['Dana@TorresAuto.example', 'seven quiet lorries'])
  t.same(heard, [{ email: 'Dana@TorresAuto.example', proof: { password: 'seven quiet lorries' } }])
  await press('Cancel')
  await becomes(t, dialogOpen, false)
})

t.test('does not ask for a password the account does not have', async (t) => {
  const heard = openAccount(t, false)
  await press('Delete account')
  t.equal(screen.queryByLabelText('Your password'), null)
  fill('Your email', 'dana@torresauto.example')
  await press('Delete my account')
  await becomes(t, () => heard, [{ email: 'dana@torresauto.example' }])
})

t.test("clears the tab's drafts and target page when the account is deleted", async (t) => {
  rememberWantedPath('/saved')
  openAccount(t, false, () => new HttpResponse(null, { status: 204 }))
  await press('Delete account')
  fill('Your email', 'dana@torresauto.example')
  await press('Delete my account')
  await becomes(t, () => sessionStorage.length, 0)
})

t.test('allows an optional password if it is unknown whether there is one', async (t) => {
  const heard = openAccount(t)
  await press('Delete account')
  fill('Your email', 'dana@torresauto.example')
  await press('Delete my account')
  await becomes(t, () => heard.length, 1)
  await screen.findByRole('alert')
  fill('Your password', 'seven quiet lorries')
  await press('Delete my account')
  const email = 'dana@torresauto.example'
  await becomes(t, () => heard, [{ email }, { email, proof: { password: 'seven quiet lorries' } }])
})

const readyCopy = {
  id: 'a1',
  state: 'ready',
  requestedAt: '2026-11-22T10:00:00Z',
  sizeBytes: 1_240_000,
  expiresAt: '2026-11-29T10:00:00Z',
  error: null,
}
const preparingCopy = { ...readyCopy, state: 'preparing', sizeBytes: null, expiresAt: null }
const failedCopy = { ...preparingCopy, state: 'failed', error: 'Something went wrong on our side.' }

t.test('requests, awaits and downloads a data export, and explains refusals', async (t) => {
  let last: object | null = null
  let refuse = true
  fakeNetwork(t).use(
    http.get('*/api/account/export', () => HttpResponse.json({ export: last })),
    http.post('*/api/account/export', () => {
      if (refuse) return away()
      last = readyCopy
      return HttpResponse.json(preparingCopy, { status: 202 })
    }),
  )
  show(t, <SettingsAccount hasPassword />)
  await press('Prepare a copy')
  await says('Your data was not requested')
  refuse = false
  screen.getByRole('button', { name: 'Prepare a copy' }).focus()
  await press('Prepare a copy')
  await screen.findByText(/Preparing\. You can leave/)
  await becomes(t, () => /^Download my data.*Preparing/.test(document.activeElement?.textContent ?? ''), true)
  const link = await screen.findByRole('link', { name: 'Download' })
  t.equal(link.getAttribute('href'), '/api/account/export/a1')
  t.ok(screen.getByText('1.2 MB'))
})

t.test('shows why an export failed and retries it', async (t) => {
  fakeNetwork(t).use(
    http.get('*/api/account/export', () => HttpResponse.json({ export: failedCopy })),
    http.post('*/api/account/export', () => HttpResponse.json(preparingCopy, { status: 202 })),
  )
  show(t, <SettingsAccount hasPassword />)
  await screen.findByText('Something went wrong on our side.')
  await press('Try again')
  await screen.findByText(/Preparing\. You can leave/)
})

t.test('shows changes from elsewhere when the tab becomes visible or the page opens', async (t) => {
  const aSession = (address: string, current: boolean): SessionInfo => {
    const at = '2026-11-20T10:00:00.000Z'
    return { id: randomUUID(), current, userAgent: '', address, createdAt: at, lastSeenAt: at }
  }
  const security: AccountSecurity = {
    email: 'dana@torresauto.example',
    emailVerified: false,
    hasPassword: true,
    googleLinked: false,
    proven: false,
    secondFactor: { required: false, app: 'off', passkeys: [], recoveryCodesLeft: 0 },
    sessions: [aSession('192.0.2.1', true)],
  }
  fakeNetwork(t).use(
    http.get('*/api/auth/security', () => answer(AccountSecurity, security)),
    http.get('*/api/auth/status', () => answer(AuthStatus, anAuthStatus())),
  )
  function Page() {
    const [open, setOpen] = useState(true)
    return (
      <>
        {open ? <SecurityCards keys={null} /> : null}
        <button onClick={() => setOpen(!open)}>Elsewhere</button>
      </>
    )
  }
  show(t, <Page />)
  await says('Not confirmed')
  security.emailVerified = true
  window.dispatchEvent(new Event('visibilitychange'))
  await says('Confirmed')
  await press('Elsewhere')
  await gone(t, 'Confirmed')
  security.sessions.push(aSession('198.51.100.7', false))
  await press('Elsewhere')
  t.ok(await screen.findByText(/198\.51\.100\.7/))
})

t.test('refetches a pending request after a setting changed', async (t) => {
  const before = aCurrentUser()
  let asked = 0
  let isSaved = () => {}
  const saving = new Promise<void>((resolve) => (isSaved = resolve))
  fakeNetwork(t).use(
    http.patch('*/api/settings', async () => {
      await saving
      return answer(Settings, { ...settingsOf({}), theme: 'dark' })
    }),
    http.get('*/api/auth/me', () => {
      asked += 1
      if (asked === 2) return new Promise<never>(() => undefined)
      const name = asked === 1 ? before.name : 'Renamed elsewhere'
      return answer(CurrentUser, { ...before, name, settings: asked === 1 ? {} : { theme: 'dark' } })
    }),
  )
  function Named() {
    const { data: me } = useQuery(meQuery())
    const { mutate } = useSaveSettings()
    return (
      <button type="button" onClick={() => mutate({ theme: 'dark' })}>
        {me?.name}
      </button>
    )
  }
  const { cache } = show(t, <Named />)
  await screen.findByRole('button', { name: before.name })
  void cache.invalidateQueries({ queryKey: meKey })
  await becomes(t, () => asked, 2)
  await press(before.name)
  isSaved()
  await screen.findByRole('button', { name: 'Renamed elsewhere' })
})
