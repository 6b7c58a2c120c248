import { becomes, show } from '#tests/support/screen.tsx'
import { screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { AdminDealerFile } from '#client/features/admin/dealer-file/admin-dealer-file.tsx'
import { DealerBilling } from '#shared/schemas/billing.ts'
import { DealerFile, NewDealerNote, WithReason } from '#shared/schemas/admin.ts'
import { dialogOpen, fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { aFile, at, openFile, path, user } from '#tests/support/admin-dealer-file.tsx'
import { answer, away, fakeNetwork, http, refusal, refuseFirst, sent } from '#tests/support/network.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0) Gecko Firefox/128.0'

t.test("shows loading, error, retry and empty states of a dealer's file", async (t) => {
  const network = fakeNetwork(t)
  network.use(
    http.get(`${path}/file`, () => answer(DealerFile, aFile())),
    http.get(`${path}/billing`, () => answer(DealerBilling, { subscription: null, invoices: [], refunds: [] })),
  )
  const refuse = refuseFirst(network, `${path}/file`)
  const refuseBilling = refuseFirst(network, `${path}/billing`)
  show(t, <AdminDealerFile id={user.id} />)
  await says('Loading this dealer')
  refuse()
  t.match((await screen.findByRole('alert')).textContent, /Could not load this dealer.*The database is away/)
  await press('Retry')
  await says('Luis Herrera')
  await says('Loading plan and invoices')
  for (const none of [
    'No posts yet',
    'No deals yet',
    'No reports about this dealer',
    'No reports by this dealer',
    'No notes yet',
    'Not signed in anywhere',
  ])
    t.ok(screen.queryByText(none), none)
  refuseBilling()
  t.match((await screen.findByRole('alert')).textContent, /Could not load plan and invoices.*The database is away/)
  t.equal(screen.queryByText('No plan'), null, 'a list that failed to load is not shown as empty')
  await press('Retry')
  await says('No plan')
  await says('No invoices yet')
})

t.test('keeps a file that could not be refreshed and its unfinished note, and marks the file as stale', async (t) => {
  const { network, cache } = openFile(t)
  await says('No plan')
  fill('New note', 'Half a sentence')
  network.use(http.get(`${path}/file`, away), http.get(`${path}/billing`, away))
  await cache.invalidateQueries()
  await becomes(t, () => screen.queryAllByRole('alert').length, 2)
  t.equal(textIn('New note'), 'Half a sentence')
  for (const part of ['Luis Herrera', 'No plan']) t.ok(screen.queryByText(part), part)
})

t.test('shows the remaining data of a deleted dealer without actions', async (t) => {
  openFile(t, { deletedAt: at })
  await says('This account was deleted on Nov 20, 2026')
  t.same(
    ['Plan', 'Second factor', 'New note'].map((name) => screen.queryByLabelText(name)),
    [null, null, null],
  )
})

t.test('says that no dealer has this address and offers no retry', async (t) => {
  fakeNetwork(t).use(http.get('*/api/admin/users/x/file', () => refusal(400, 'Id is not a valid uuid')))
  show(t, <AdminDealerFile id="x" />)
  await says('Dealer not found')
  t.equal(screen.queryByRole('button', { name: 'Retry' }), null)
})

t.test('saves a note, refuses an empty one, and keeps its text after a refusal', async (t) => {
  const { held, network } = openFile(t)
  const heard: NewDealerNote[] = []
  network.use(
    http.post(`${path}/notes`, async ({ request }) => {
      const note = await sent(NewDealerNote, request)
      heard.push(note)
      if (heard.length === 1) return away()
      held.file = aFile({
        notes: [{ id: randomUUID(), author: { id: randomUUID(), name: 'Ada' }, createdAt: at, ...note }],
      })
      return answer(DealerFile, held.file)
    }),
  )
  await says('No notes yet')
  const add = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add note' })
  fill('New note', '  ')
  t.ok(add().disabled)
  fill('New note', ' Pays late ')
  await press('Add note')
  await says('The database is away')
  t.equal(textIn('New note'), ' Pays late ')
  add().focus()
  await press('Add note')
  await says('Note saved')
  await says('Pays late')
  await becomes(t, () => [textIn('New note'), heard[1]], ['', { text: 'Pays late' }])
  await becomes(t, () => document.activeElement === screen.getByLabelText('New note'), true)
})

t.test('deletes a note after a confirmation, and keeps it if the server refuses', async (t) => {
  const note = { id: randomUUID(), author: { id: randomUUID(), name: 'Ada' }, text: 'Pays late', createdAt: at }
  const { held, network } = openFile(t, { notes: [note] })
  let refuse = true
  network.use(
    http.delete(`${path}/notes/${note.id}`, () => {
      if (refuse) return away()
      held.file = aFile()
      return answer(DealerFile, held.file)
    }),
  )
  await press(/^Delete the note from/)
  await press('Cancel')
  await gone(t, 'Delete this note?')
  await press(/^Delete the note from/)
  await press('Delete')
  await says('The database is away')
  t.ok(screen.queryByText('Pays late'))
  refuse = false
  await gone(t, 'Delete this note?')
  await press(/^Delete the note from/)
  await press('Delete')
  await says('Note deleted')
  await says('No notes yet')
})

t.test('ends one or all sessions with a reason and keeps the reason after a refusal', async (t) => {
  const session = { id: 'f'.repeat(64), userAgent: firefox, address: '203.0.113.7', createdAt: at, lastSeenAt: at }
  const other = { ...session, id: 'a'.repeat(64), userAgent: '' }
  const { held, network } = openFile(t, { sessions: [session, other] })
  const heard: unknown[] = []
  network.use(
    http.delete(`${path}/sessions/${session.id}`, async ({ request }) => {
      heard.push((await sent(WithReason, request)).reason)
      if (heard.length === 1) return away()
      held.file = aFile({ sessions: [other] })
      return answer(DealerFile, held.file)
    }),
    http.delete(`${path}/sessions`, async ({ request }) => {
      heard.push(['all', (await sent(WithReason, request)).reason])
      held.file = aFile()
      return answer(DealerFile, held.file)
    }),
  )
  await press(/^End Firefox on Windows, last seen/)
  await press('End session')
  await becomes(t, () => refusalOf('Reason'), 'Enter a reason for the audit log')
  fill('Reason', 'A stolen laptop')
  await press('End session')
  await says('The database is away')
  t.equal(textIn('Reason'), 'A stolen laptop')
  await press('End session')
  await says('Session ended')
  await becomes(t, dialogOpen, false)
  t.same(
    [
      screen.queryByText('Firefox on Windows'),
      within(screen.getByLabelText('Sessions')).queryByText('Unknown browser') !== null,
    ],
    [null, true],
  )
  await press('End all')
  fill('Reason', 'Asked for it')
  await press('End all')
  await says('All sessions ended')
  await says('Not signed in anywhere')
  t.same(heard, ['A stolen laptop', 'A stolen laptop', ['all', 'Asked for it']])
})

t.test('resets a second factor with a reason and keeps the reason after a refusal', async (t) => {
  const { held, network } = openFile(t, { secondFactor: true })
  let refuse = true
  network.use(
    http.delete(`${path}/second-factor`, async ({ request }) => {
      t.same(await sent(WithReason, request), { reason: 'Lost the phone' })
      if (refuse) return away()
      held.file = aFile()
      return answer(DealerFile, held.file)
    }),
  )
  await says('Signing in requires an app code or a passkey.')
  await press('Reset')
  fill('Reason', 'Lost the phone')
  await press('Reset')
  await says('The database is away')
  t.equal(textIn('Reason'), 'Lost the phone')
  refuse = false
  await press('Reset')
  await says('Second factor reset')
  await says('Signing in requires only a password or Google.')
})
