import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { Composer } from '#client/features/posting/composer.tsx'
import { SheetPreview, SheetPreviewRequest, VinReport } from '#shared/schemas/posting.ts'
import { choose, fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, http, refusal, sent } from '#tests/support/network.ts'
import { aPicture, addFiles, aVinReport, me, postingNetwork, vin } from '#tests/support/posting.ts'

function openComposer(t: Test, ...refusals: (() => Response)[]) {
  const server = postingNetwork(t, ...refusals)
  const posted: string[] = []
  const view = show(t, <Composer renderTitle={() => null} onPosted={() => void posted.push('posted')} />, me)
  return { ...server, ...view, posted, post: () => press('Post') }
}

async function addComposerVehicle(t: Test) {
  await press('Add Vehicle')
  fill('VIN', vin)
  fill('Make', 'Ford')
  fill('Model', 'F-150')
  await press('Add')
  await gone(t, 'Add vehicle details')
  await screen.findAllByText(/Ford F-150$/)
}

t.test('asks for a title and a vehicle, and keeps both after a refusal', async (t) => {
  const { heard, posted, post } = openComposer(t, away)
  await post()
  await says('Title required')
  fill('Post title', 'A clean truck')
  await post()
  await says('Vehicle information required')
  await press('Add Vehicle')
  t.ok(screen.getByRole('button', { name: 'Add' }).hasAttribute('disabled'))
  await says('Enter the VIN, make and model first.')
  fill('VIN', vin.slice(0, 3))
  await becomes(t, () => refusalOf('VIN'), 'VIN must be exactly 17 characters')
  await press('Close vehicle details')
  await addComposerVehicle(t)
  fill('What are you offering?', 'Second key')
  await post()
  await says('Error posting inventory')
  await says('The database is away')
  t.same([textIn('Post title'), textIn('What are you offering?')], ['A clean truck', 'Second key'])
  t.ok(screen.getByText('Ford F-150'))
  t.same(posted, [])
  await post()
  await says('Inventory posted successfully!')
  await becomes(t, () => posted, ['posted'])
  t.equal(heard[0]?.key, heard[1]?.key)
  t.match(heard[1]?.post, { type: 'single', description: 'Second key', vehicles: [{ vin, make: 'Ford' }] })
  await becomes(t, () => textIn('Post title'), '')
})

t.test('waits up to a second for a VIN and fills in fields from a late answer, too', async (t) => {
  const { network } = openComposer(t)
  let arrive = () => {}
  const late = new Promise<void>((resolve) => (arrive = resolve))
  const asked: unknown[] = []
  network.use(
    http.get('*/api/vin/:vin', async ({ params }) => {
      asked.push(params['vin'])
      await late
      return answer(VinReport, aVinReport({ trim: 'Lariat', checkDigitHolds: false, expectedCheckDigit: 'X' }))
    }),
  )
  await press('Add Vehicle')
  fill('VIN', vin.replace('1', 'O'))
  await becomes(t, () => refusalOf('VIN'), 'A VIN never contains the letters I, O or Q')
  await becomes(t, () => screen.queryAllByText('VIN Not Recognized').length > 0, true)
  t.same(asked, [], 'a character that no VIN has does not cause a lookup')
  fill('Model', 'My own model')
  fill('VIN', vin)
  t.equal(textIn('Make'), '', 'not immediately')
  await becomes(t, () => ['Year', 'Make', 'Model', /^Trim/].map(textIn), ['2022', 'Ford', 'My own model', ''])
  await says('Auto-filled: 2022, Ford, F-150')
  fill('Make', 'My own make')
  arrive()
  await becomes(t, () => ['Make', /^Trim/].map(textIn), ['My own make', 'Lariat'])
  await says(/the 9th character should be X/)
  t.same(asked, [vin], 'fetched once')
})

t.test('restores attachments, which determine the type of the post', async (t) => {
  const { heard, post, unmount } = openComposer(t)
  fill('Post title', 'Two trucks')
  await addComposerVehicle(t)
  await addComposerVehicle(t)
  await press('Add Vehicle')
  fill('VIN', vin)
  fill('Notes (optional)', 'Half typed')
  addFiles('Photos of this vehicle', aPicture('front.jpg'))
  await becomes(t, () => screen.queryAllByRole('img', { name: /front.jpg$/ }).length, 1)
  await says(/^Add Photos \(1/)
  unmount()
  show(t, <Composer renderTitle={() => null} onPosted={() => undefined} />, me)
  t.equal(textIn('Post title'), 'Two trucks')
  t.same(
    [textIn('VIN'), textIn('Notes (optional)')],
    [vin, 'Half typed'],
    'including the photo that is not attached yet',
  )
  await press('Close vehicle details')
  await says(/^Add Photos \(0/)
  await post()
  await becomes(t, () => heard.map((one) => [one.post.type, one.post.vehicles?.length]), [['multiple', 2]])
  await becomes(t, () => textIn('Post title'), '')
  fill('Post title', 'Three trucks, no, one')
  await addComposerVehicle(t)
  await addComposerVehicle(t)
  fireEvent.click(screen.getAllByRole('button', { name: /^Remove .*Ford F-150$/ })[0]!)
  await post()
  await becomes(t, () => heard.map((one) => [one.post.type, one.post.vehicles?.length])[1], ['single', 1])
  t.match(heard[1]?.post.vehicles, [{ vin, make: 'Ford', model: 'F-150', location: 'Dallas, TX', atDealership: true }])
})

t.test('shows the photos of the post and of all vehicles in one strip, and gives one to another vehicle', async (t) => {
  const { heard, post } = openComposer(t)
  fill('Post title', 'Two trucks')
  await addComposerVehicle(t)
  addFiles('Photos', aPicture('lot.jpg'))
  await press('Add Vehicle')
  fill('VIN', vin)
  fill('Make', 'Kia')
  fill('Model', 'Rio')
  addFiles('Photos of this vehicle', aPicture('rio.jpg'), aPicture('truck.jpg'))
  const strip = () =>
    screen.getAllByRole('list', { name: /photos/i }).map((one) => within(one).getAllByRole('img').length)
  await becomes(t, strip, [3])
  await press('Add')
  await becomes(t, strip, [3])
  await choose('Photo 3 shows', /Ford F-150/)
  await post()
  const photosOf = (index: number) => heard[0]?.post.vehicles?.[index]?.photos?.length
  await becomes(t, () => [heard[0]?.post.photoUrls?.length, photosOf(0), photosOf(1)], [1, 1, 1])
})

t.test('warns before leaving out a vehicle whose card is still open', async (t) => {
  const { heard, post } = openComposer(t)
  fill('Post title', 'Two trucks')
  await addComposerVehicle(t)
  await press('Add Vehicle')
  fill('VIN', vin)
  await post()
  await says('Vehicle not added')
  t.same(heard, [])
  t.equal(textIn('VIN'), vin)
  fill('Make', 'Ford')
  fill('Model', 'F-150')
  await press('Add')
  await press('Add Vehicle')
  await post()
  await becomes(t, () => heard.map((one) => one.post.vehicles?.length), [2])
})

t.test('posts changes typed while the last photo uploads', async (t) => {
  const { heard, files, post } = openComposer(t)
  let arrive = () => {}
  files.hold = new Promise<void>((resolve) => (arrive = resolve))
  fill('Post title', 'A clean truck')
  await addComposerVehicle(t)
  addFiles('Photos', aPicture('truck.jpg'))
  await becomes(t, () => files.names.length, 1)
  await post()
  await says('Posting...')
  fill('What are you offering?', 'Second key')
  arrive()
  await becomes(t, () => heard.map((one) => [one.post.description, one.post.photoUrls?.length]), [['Second key', 1]])
})

t.test('reads and attaches a spreadsheet file, or shows an error', async (t) => {
  const { network, post, heard } = openComposer(t)
  let refuse = true
  network.use(
    http.post('*/api/spreadsheets/preview', async ({ request }) => {
      await sent(SheetPreviewRequest, request)
      if (refuse) return refusal(400, 'The sheet has no column that looks like a VIN')
      const row = { make: 'Ford', model: 'F-150', city: 'Tulsa', state: 'OK' }
      return answer(SheetPreview, {
        found: 2,
        priced: 0,
        withVin: 1,
        vehiclesKey: 'any',
        vehicles: [{ ...row, vin }, row],
        faults: [
          { row: 7, message: 'the same VIN as row 2' },
          { row: 8, message: 'the price is negative', column: 'Price', text: '(9,500)', listed: true },
        ],
        summary: { priceFrom: ['Price'], unread: ['Stock #'], hiddenRows: 0, moreFaults: 1_200 },
      })
    }),
  )
  const chooseSheet = () => addFiles('Spreadsheet file', new File(['vin'], 'stock.csv', { type: 'text/csv' }))
  chooseSheet()
  t.match((await screen.findByRole('alert')).textContent, /could not be read.*no column that looks like a VIN/)
  await press('Close spreadsheet preview')
  await becomes(t, () => screen.queryByRole('alert'), null)
  refuse = false
  chooseSheet()
  const found = '1 vehicle found, 2 rows left out, 1 cell to check, 1,200 more to check'
  await says(found)
  await says('Row 7: the same VIN as row 2')
  await says('Columns not read: Stock #')
  await says('Price column: Price')
  await says('1 row without a VIN, make or model cannot be attached')
  await post()
  await says('Spreadsheet not attached')
  t.same(heard, [])
  await press('Attach 1 vehicle')
  await gone(t, found)
  fill('Post title', 'My stock')
  await post()
  await becomes(t, () => heard.map((one) => one.post.vehicles?.map(({ city, state }) => [city, state])), [
    [['Tulsa', 'OK']],
  ])
})
