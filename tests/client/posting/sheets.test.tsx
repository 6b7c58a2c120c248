import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { sheetQuery } from '#client/features/posting/posting.api.ts'
import { SheetNotice } from '#client/features/posting/spreadsheet-notice.tsx'
import { meKey } from '#client/lib/query/query-keys.ts'
import { formatDateTime } from '#client/ui/format.ts'
import {
  type SheetChanges,
  SheetDecision,
  SheetPreview,
  SheetPreviewRequest,
  SheetReport,
} from '#shared/schemas/posting.ts'
import { choose, fill, press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, refusal, sent, wouldEndAuction } from '#tests/support/network.ts'
import { me, postingNetwork, vin } from '#tests/support/posting.ts'
import { aCurrentUser } from '#tests/support/records.ts'

t.test('previews a spreadsheet link, corrects its columns, and says in the post what the preview showed', async (t) => {
  const { network, heard } = postingNetwork(t)
  show(t, <PostDialog open onOpenChange={() => {}} />, me)
  const asked: SheetPreviewRequest[] = []
  const columns = [
    { name: 'VIN', field: 'vin', sample: vin },
    { name: 'Retail', field: 'price', sample: '9,000' },
    { name: 'Net', field: null, sample: '8,000' },
  ] as const
  network.use(
    http.post('*/api/spreadsheets/preview', async ({ request }) => {
      const body = await sent(SheetPreviewRequest, request)
      asked.push(body)
      if (body.url?.includes('private')) return refusal(400, 'The link is not publicly accessible')
      const isNet = body.columns?.price === 'Net'
      return answer(SheetPreview, {
        found: 12,
        priced: isNet ? 12 : 11,
        withVin: 10,
        vehiclesKey: isNet ? 'net' : 'retail',
        vehicles: Array.from({ length: 10 }, () => ({
          vin,
          year: 2022,
          make: 'Ford',
          model: 'F-150',
          price: isNet ? 8_000 : 9_000,
        })),
        faults: [{ row: 7, message: 'the price is negative', column: 'Retail', text: '(9,500)', listed: true }],
        summary: {
          columns: columns.map((column) => ({
            ...column,
            field: isNet && column.name === 'Net' ? 'price' : column.field,
          })),
          priceFrom: [isNet ? 'Net' : 'Retail'],
          unread: ['Net'],
          hiddenRows: 0,
          moreFaults: 0,
        },
      })
    }),
  )
  await screen.findByLabelText('Title')
  fill('Title', 'My stock')
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'SPREADSHEET' }), { button: 0 })
  await screen.findByLabelText('Spreadsheet URL')
  fill('Spreadsheet URL', 'https://sheets.example/private.csv')
  await press('Preview')
  await says('The link is not publicly accessible')
  fill('Spreadsheet URL', ' https://sheets.example/stock.csv ')
  t.equal(screen.queryByText('The link is not publicly accessible'), null, 'gone with its link')
  await press('Preview')
  await says('12 vehicles found, 1 cell to check')
  const rows = () => [...screen.getByRole('list', { name: 'First vehicles of the spreadsheet' }).children]
  t.equal(rows().length, 11)
  t.match(rows()[0]?.textContent, /2022 Ford F-150.*\$9,000 · Mileage not given/)
  t.equal(rows()[10]?.textContent, 'and 2 more')
  await says('Row 7: the price is negative')
  await says('Columns not read: Net')
  await choose('Price', 'Net (8,000)')
  await becomes(t, () => rows()[0]?.textContent?.includes('$8,000'), true)
  await press('Post Inventory')
  await becomes(t, () => heard.map((one) => one.post.sheetSeen), [
    { vehicles: 12, prices: 12, vins: 10, vehiclesKey: 'net' },
  ])
  t.same(asked.slice(1), [
    { url: 'https://sheets.example/stock.csv' },
    { url: 'https://sheets.example/stock.csv', columns: { price: 'Net' } },
  ])
})

t.test('asks the owner to approve an import that loses many vehicles, and lists the changes', async (t) => {
  const postId = randomUUID()
  const blank = { found: 10, faults: [], error: null, changes: null, held: null }
  const summary = { priceFrom: ['Price'], unread: [], hiddenRows: 0, moreFaults: 0 }
  const changes: SheetChanges = {
    added: 1,
    removed: 1,
    changed: 1,
    pricesLost: 1,
    list: [
      { kind: 'removed', vehicle: '2020 Kia Rio', vin: null },
      { kind: 'changed', vehicle: '2019 Honda Civic', vin, price: { before: 9_000, after: null } },
      { kind: 'added', vehicle: '2022 Ford F-150', vin },
    ],
  }
  const held = {
    id: randomUUID(),
    found: 2,
    priced: 1,
    faults: [],
    summary,
    changes,
    vehicles: [{ make: 'Ford', model: 'F-150' }],
  }
  let report: SheetReport = { ...blank, summary, state: 'held', held }
  const decisions: SheetDecision[] = []
  fakeNetwork(t).use(
    http.get(`*/api/inventory/${postId}/sheet`, () => answer(SheetReport, report)),
    http.post(`*/api/inventory/${postId}/sheet/decision`, async ({ request }) => {
      decisions.push(await sent(SheetDecision, request))
      if (decisions.length === 1) return refusal(409, 'This version is no longer waiting')
      report = { ...blank, summary, state: 'done', found: 2, changes }
      return answer(SheetReport, report)
    }),
  )
  show(t, <SheetNotice postId={postId} version={1} />)
  await screen.findByRole('region', { name: 'Spreadsheet to confirm' })
  t.match(
    [...screen.getByRole('list', { name: 'What changed' }).children].map(({ textContent }) => textContent),
    [
      'Removed: 2020 Kia Rio',
      `Changed: 2019 Honda Civic ${vin}, price from $9,000 to not given`,
      `Added: 2022 Ford F-150 ${vin}`,
    ],
  )
  await press('Keep the current version')
  await says('This version is no longer waiting')
  await press('Publish 2 vehicles')
  await says('2 vehicles listed')
  t.same(decisions, [
    { heldId: held.id, publish: false },
    { heldId: held.id, publish: true },
  ])
  t.match(screen.getByRole('list', { name: 'What changed', hidden: true }).textContent, /Removed: 2020 Kia Rio/)
  t.ok(screen.getByRole('button', { name: 'Read again', hidden: true }))
})

const listed: SheetReport = {
  state: 'done',
  found: 10,
  faults: [],
  summary: { priceFrom: ['Price'], unread: [], hiddenRows: 0, moreFaults: 0 },
  error: null,
  changes: null,
  held: null,
}
const noChanges: SheetChanges = { added: 0, removed: 0, changed: 0, pricesLost: 0, list: [] }

function reportNetwork(t: Test, report: SheetReport) {
  const postId = randomUUID()
  const state = { report, calls: [] as string[] }
  const network = fakeNetwork(t)
  network.use(
    http.get(`*/api/inventory/${postId}/sheet`, () => answer(SheetReport, state.report)),
    http.post(`*/api/inventory/${postId}/sheet`, () => {
      state.calls.push('read again')
      return answer(SheetReport, (state.report = { ...state.report, state: 'waiting', error: null }))
    }),
    http.delete(`*/api/inventory/${postId}/sheet/columns`, () => {
      state.calls.push('forget')
      return answer(SheetReport, (state.report = { ...state.report, state: 'waiting', error: null }))
    }),
  )
  return { postId, state, network }
}

t.test('shows that the report cannot be loaded, and loads it on Retry', async (t) => {
  const { postId, network } = reportNetwork(t, listed)
  let isDown = true
  network.use(
    http.get(`*/api/inventory/${postId}/sheet`, () =>
      isDown ? refusal(500, 'Something broke') : answer(SheetReport, listed),
    ),
  )
  show(t, <SheetNotice postId={postId} version={1} />)
  t.ok(screen.getByText('Loading the spreadsheet report'))
  await says('The spreadsheet report could not be loaded')
  isDown = false
  await press('Retry')
  await says('10 vehicles listed')
})

t.test('keeps the report on screen when the link fails', async (t) => {
  const error = 'The link is not publicly accessible'
  const { postId, state } = reportNetwork(t, { ...listed, state: 'failed', error })
  show(t, <SheetNotice postId={postId} version={1} />)
  await says(error)
  await says('10 vehicles listed')
  t.equal(screen.queryByRole('button', { name: 'Read again', hidden: true }), null, 'Retry does the same')
  await press('Retry')
  await says('Reading the spreadsheet')
  t.same(state.calls, ['read again'])
})

t.test('says that nothing is listed after the first import was declined, and nothing more if it failed', async (t) => {
  const nothing = { ...listed, found: 0, summary: null }
  const { postId, state } = reportNetwork(t, nothing)
  const { cache } = show(t, <SheetNotice postId={postId} version={1} />)
  await says('No vehicles listed yet')
  state.report = { ...nothing, state: 'failed', error: 'The sheet is empty' }
  await cache.invalidateQueries()
  await says('The sheet is empty')
  t.equal(screen.queryByText('No vehicles listed yet'), null)
})

const waiting = {
  id: randomUUID(),
  found: 6,
  priced: 6,
  faults: [],
  summary: listed.summary ?? { priceFrom: [], unread: [], hiddenRows: 0, moreFaults: 0 },
  readAt: '2026-11-28T15:05:00.000Z',
  changes: {
    ...noChanges,
    changed: 4,
    vinsLost: 4,
    list: [{ kind: 'changed' as const, vehicle: '2022 Ford F-150', vin: null, vinBefore: vin }],
  },
  vehicles: [{ make: 'Ford', model: 'F-150' }],
}

t.test('says when a held import was read, which VINs are gone, and reads the link again', async (t) => {
  const { postId, state } = reportNetwork(t, { ...listed, state: 'held', held: waiting })
  show(t, <SheetNotice postId={postId} version={1} />)
  await screen.findByRole('region', { name: 'Spreadsheet to confirm' })
  t.equal(screen.getByText(formatDateTime(waiting.readAt)).getAttribute('datetime'), waiting.readAt)
  await says(
    '4 vehicles with a different price, mileage or VIN, 4 VINs missing. Your post still lists the previous version.',
  )
  t.equal(
    screen.getByRole('list', { name: 'What changed' }).firstElementChild?.textContent,
    `Changed: 2022 Ford F-150, VIN ${vin} missing`,
  )
  await press('Read again')
  await says('Reading the spreadsheet')
  t.same(state.calls, ['read again'])
})

t.test('keeps a held import on screen when the link fails', async (t) => {
  const error = 'The link is not publicly accessible'
  const { postId } = reportNetwork(t, { ...listed, state: 'failed', error, held: waiting })
  show(t, <SheetNotice postId={postId} version={1} />)
  await says(error)
  t.ok(screen.getByRole('button', { name: 'Publish 6 vehicles' }))
  t.equal(screen.queryByRole('button', { name: 'Read again' }), null, 'Retry does the same')
})

t.test('shows the new list when the post has changed, and asks before the auction ends', async (t) => {
  const { postId, state, network } = reportNetwork(t, { ...listed, state: 'held', held: waiting })
  const decisions: SheetDecision[] = []
  const renewed = { ...waiting, id: randomUUID(), changes: { ...waiting.changes, removed: 2 } }
  network.use(
    http.post(`*/api/inventory/${postId}/sheet/decision`, async ({ request }) => {
      decisions.push(await sent(SheetDecision, request))
      if (decisions.length === 1) {
        state.report = { ...state.report, held: renewed }
        return refusal(409, 'Your post changed since this list was made')
      }
      if (decisions.length === 2) return wouldEndAuction()
      return answer(SheetReport, (state.report = { ...listed, found: 6, changes: noChanges }))
    }),
  )
  show(t, <SheetNotice postId={postId} version={1} />)
  await press('Publish 6 vehicles')
  await says('Your post changed since this list was made')
  await screen.findByText(/^2 vehicles removed/)
  await press('Publish 6 vehicles')
  await press('End auction')
  await says('6 vehicles listed')
  t.same(decisions, [
    { heldId: waiting.id, publish: true },
    { heldId: renewed.id, publish: true },
    { heldId: renewed.id, publish: true, endAuction: true },
  ])
})

t.test('lists the corrections of a live post and of a held import, and removes them', async (t) => {
  for (const isHeld of [false, true])
    await t.test(isHeld ? 'held' : 'live', async (t) => {
      const summary = { ...waiting.summary, chosen: { price: 'Net', color: null } }
      const { postId, state } = reportNetwork(
        t,
        isHeld ? { ...listed, state: 'held', held: { ...waiting, summary } } : { ...listed, summary },
      )
      show(t, <SheetNotice postId={postId} version={1} />)
      const list = await screen.findByRole('list', { name: 'Your column corrections', hidden: true })
      t.same(
        [...list.children].map(({ textContent }) => textContent),
        ['Price: column Net', 'Color: no column'],
      )
      fireEvent.click(screen.getByRole('button', { name: 'Remove them and read again', hidden: true }))
      await says('Reading the spreadsheet')
      t.same(state.calls, ['forget'])
    })
})

t.test('keeps a report to the dealer who asked for it, also if another one has signed in meanwhile', async (t) => {
  const { postId, state, network } = reportNetwork(t, { ...listed, state: 'held', held: waiting })
  let answerLate = () => {}
  const late = new Promise<void>((resolve) => (answerLate = resolve))
  let isAnswered = false
  network.use(
    http.post(`*/api/inventory/${postId}/sheet/decision`, async () => {
      await late
      isAnswered = true
      return answer(SheetReport, { ...listed, found: 6 })
    }),
  )
  const { cache } = show(t, <SheetNotice postId={postId} version={1} />)
  cache.setQueryData(meKey, aCurrentUser())
  await press('Publish 6 vehicles')
  cache.setQueryData(meKey, aCurrentUser({ id: randomUUID() }))
  answerLate()
  await becomes(t, () => isAnswered && cache.isMutating() === 0, true)
  t.same(cache.getQueryData(sheetQuery(postId, 1).queryKey), state.report)
})

t.test('keeps the report on screen while the next one loads, but not below another post', async (t) => {
  const { postId, network } = reportNetwork(t, listed)
  const other = randomUUID()
  let answerLate = () => {}
  const late = new Promise<void>((resolve) => (answerLate = resolve))
  let asked = 0
  network.use(
    http.get('*/api/inventory/:id/sheet', async () => {
      if ((asked += 1) > 1) await late
      return answer(SheetReport, asked > 1 ? { ...listed, found: 12 } : listed)
    }),
  )
  function Post() {
    const [shown, setShown] = useState({ postId, version: 1 })
    return (
      <>
        <SheetNotice {...shown} />
        <button onClick={() => setShown({ postId, version: 2 })}>Next version</button>
        <button onClick={() => setShown({ postId: other, version: 1 })}>Other post</button>
      </>
    )
  }
  show(t, <Post />)
  await says('10 vehicles listed')
  await press('Next version')
  await becomes(t, () => asked, 2)
  t.ok(screen.getByText('10 vehicles listed'))
  await press('Other post')
  await says('Loading the spreadsheet report')
  t.equal(screen.queryByText('10 vehicles listed'), null)
  answerLate()
  await says('12 vehicles listed')
})
