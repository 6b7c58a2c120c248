import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { SheetNotice } from '#client/features/posting/spreadsheet-notice.tsx'
import {
  type SheetChanges,
  SheetDecision,
  SheetPreview,
  SheetPreviewRequest,
  SheetReport,
} from '#shared/schemas/posting.ts'
import { choose, fill, press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, refusal, sent } from '#tests/support/network.ts'
import { me, postingNetwork, vin } from '#tests/support/posting.ts'

// The preview of a linked spreadsheet, and the owner's approval of a new version.

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
  await becomes(t, () => heard.map((one) => one.post.sheetSeen), [{ vehicles: 12, prices: 12 }])
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
