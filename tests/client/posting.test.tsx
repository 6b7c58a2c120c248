import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { Composer } from '#client/features/posting/composer.tsx'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { photoMaxBytes, photosPerPost } from '#shared/limits.ts'
import { SheetPreview, SheetPreviewRequest, VinReport } from '#shared/schemas/posting.ts'
import { dialogOpen, fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, http, refusal, sent } from '#tests/support/network.ts'
import { aPicture, addFiles, aVinReport, me, postingNetwork, vin } from '#tests/support/posting.ts'

/** Of no known make, and of no year. */
const unknownVin = 'ZZZFW1E590KD69096'

const openTab = (name: string) => void fireEvent.mouseDown(screen.getByRole('tab', { name }), { button: 0 })

function Inventory() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <PostDialog open={open} onOpenChange={setOpen} />
    </>
  )
}

async function openDialog(t: Test, ...refusals: (() => Response)[]) {
  const server = postingNetwork(t, ...refusals)
  const view = show(t, <Inventory />, me)
  await screen.findByLabelText('Title')
  return { ...server, ...view, post: () => press('Post Inventory') }
}

function fail(why: string): never {
  throw new Error(why)
}

/** Everything that makes the vehicle of the screen complete. */
async function completeVehicle() {
  fill('VIN', vin)
  await waitFor(() => textIn('Make') === 'Ford' || fail('not filled yet'))
  fill('Mileage', '48,210.5 mi')
  fill('Price', '31900')
}

t.test(
  'a post is refused for what is missing, then by the server; nothing is lost and nothing posted twice',
  async (t) => {
    const { heard, post } = await openDialog(t, away, away)
    await post()
    await says('Title required')
    t.equal(refusalOf('Title'), 'Please enter a title for your post')
    fill('Title', 'A clean truck')
    await post()
    await says('Vehicle information required')
    await says(/^Still needed: VIN, year, make, model, mileage, price\. Incomplete vehicles are left out/)
    await completeVehicle()
    fill(/^Description/, 'Second key')
    await post()
    await says('Error posting inventory')
    await says('The database is away')
    t.same(['Title', 'VIN', 'Year', 'Model', 'Mileage', /^Description/].map(textIn), [
      'A clean truck',
      vin,
      '2022',
      'F-150',
      '48210',
      'Second key',
    ])
    await post()
    await becomes(t, () => heard.length, 2)
    t.equal(heard[0]?.key, heard[1]?.key, 'the same again is the same post')
    await becomes(t, () => screen.getByRole('button', { name: 'Post Inventory' }).getAttribute('aria-busy'), null)
    fill('Title', 'A cleaner truck')
    await post()
    await says('Inventory posted successfully!')
    await becomes(t, dialogOpen, false)
    t.not(heard[1]?.key, heard[2]?.key, 'what was edited since is another')
    const vehicle = { vin, year: 2022, make: 'Ford', model: 'F-150', mileage: 48_210, price: 31_900 }
    t.match(heard[2]?.post, { type: 'single', title: 'A cleaner truck', vehicles: [{ ...vehicle, city: 'Dallas' }] })
    t.same(Object.keys({ ...localStorage }), [], 'nothing of it is kept')
    await press('Open')
    t.equal(textIn('Title'), '')
  },
)

t.test('a draft that is closed or reloaded is found again, until it is thrown away', async (t) => {
  const { unmount } = await openDialog(t)
  fill('Title', 'Half a truck')
  await press('Cancel')
  await says('Close without posting?')
  await press('Keep editing')
  await gone(t, 'Close without posting?')
  t.equal(textIn('Title'), 'Half a truck')
  await press('Cancel')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Close' }))
  await becomes(t, dialogOpen, false)
  unmount()
  show(t, <Inventory />, me)
  await screen.findByLabelText('Title')
  t.equal(textIn('Title'), 'Half a truck')
  await press('Draft restored. Start over')
  t.equal(textIn('Title'), '')
})

t.test('of many vehicles the complete ones go out, and what is left behind is said before', async (t) => {
  const { heard, post } = await openDialog(t)
  fill('Title', 'Two trucks')
  openTab('MULTIPLE VEHICLES')
  await screen.findByRole('button', { name: 'Add Vehicle' })
  await completeVehicle()
  await press('Add Vehicle')
  const second = within(await screen.findByRole('region', { name: 'Vehicle 2' }))
  fireEvent.change(second.getByLabelText('Make'), { target: { value: 'Kia' } })
  await says('1 of 2 vehicles complete, 1 incomplete will be left out')
  await post()
  await becomes(t, () => heard.map((one) => [one.post.type, one.post.vehicles?.length]), [['multiple', 1]])
})

t.test('a spreadsheet needs its link, and goes out without vehicles', async (t) => {
  const { heard, post } = await openDialog(t)
  fill('Title', 'My stock')
  openTab('SPREADSHEET')
  await screen.findByLabelText('Spreadsheet URL')
  await post()
  await says('Spreadsheet URL required')
  t.equal(refusalOf('Spreadsheet URL'), 'Please enter a spreadsheet URL')
  fill('Spreadsheet URL', ' https://sheets.example/stock.csv ')
  await post()
  await becomes(t, () => heard.map((one) => one.post.spreadsheetUrl), ['https://sheets.example/stock.csv'])
  t.equal(heard[0]?.post.vehicles, undefined)
})

t.test("an auction's terms are checked beside their fields, and empty ones are left to the server", async (t) => {
  const { heard, post } = await openDialog(t)
  fill('Title', 'Live auction tonight')
  await completeVehicle()
  const [start, reserve, ends] = [/^Starting amount/, /^Reserve/, /^Ends/]
  fill(start, 'cheap')
  fill(reserve, 'little')
  fill(ends, '2020-01-01T10:00')
  await post()
  await says('Auction terms not usable')
  t.same([start, reserve, ends].map(refusalOf), [
    'Enter an amount in dollars',
    'Enter an amount in dollars, or 0',
    'The end must come after the start',
  ])
  fill(start, '$20,000')
  fill(reserve, '19000')
  fill(ends, '')
  await post()
  await becomes(t, () => [start, reserve, ends].map(refusalOf), [
    undefined,
    'The reserve cannot be below the starting amount',
    undefined,
  ])
  fill(reserve, '0')
  await post()
  await becomes(t, () => heard.map((one) => one.post.auction), [{ startAmount: 20_000, reserveAmount: null }])
})

t.test('the switch of a live auction is on in a new post, and off nothing of it goes out', async (t) => {
  const { heard, post } = await openDialog(t)
  t.equal(screen.queryByRole('switch', { name: 'Run a live auction' }), null, 'no word of an auction')
  fill('Title', 'Live auction tonight')
  await completeVehicle()
  const bidding = screen.getByRole('switch', { name: 'Run a live auction' })
  t.equal(bidding.getAttribute('aria-checked'), 'true')
  fill(/^Starting amount/, 'cheap')
  fireEvent.click(bidding)
  t.equal(screen.queryByLabelText(/^Starting amount/), null)
  await post()
  await becomes(t, () => heard.map(({ post: sent }) => [sent.title, sent.auction]), [
    ['Live auction tonight', undefined],
  ])
})

t.test('a VIN fills what is empty, warns, and never overwrites what was typed', async (t) => {
  const { network } = await openDialog(t)
  const other = { id: randomUUID(), title: 'The same truck', dealershipName: 'Webb Bros', own: false }
  network.use(
    http.get('*/api/vin/:vin', () =>
      answer(
        VinReport,
        aVinReport({ trim: 'Lariat', checkDigitHolds: false, expectedCheckDigit: 'X', activePosts: [other] }),
      ),
    ),
  )
  fill('VIN', vin.slice(0, 14).toLowerCase())
  await becomes(t, () => refusalOf('VIN'), 'VIN must be exactly 17 characters (3 more needed)')
  fill('Make', 'My own make')
  fill('VIN', vin.toLowerCase())
  await becomes(t, () => [textIn('VIN'), textIn('Year'), textIn('Make')], [vin, '2022', 'My own make'])
  await becomes(t, () => textIn(/^Trim/), 'Lariat')
  await says(/the 9th character should be X/)
  await says(/already active in the network: Webb Bros/)
})

t.test('the year stands in a VIN whose make nobody knows', async (t) => {
  await openDialog(t)
  fill('VIN', 'ZZZFW1E59NKD69096')
  await becomes(t, () => [textIn('Year'), textIn('Make')], ['2022', ''])
  await says('Auto-filled: 2022')
})

t.test('a VIN that nobody knows, and a look-up that fails, keep nobody from posting', async (t) => {
  const { network, heard, post } = await openDialog(t)
  network.use(http.get('*/api/vin/:vin', away))
  fill('Title', 'A strange car')
  fill('VIN', unknownVin)
  await becomes(t, () => screen.queryAllByText('VIN Not Recognized').length > 0, true)
  for (const [label, value] of [
    ['Year', '2020'],
    ['Make', 'Zastava'],
    ['Model', 'Z'],
    ['Mileage', '1'],
    ['Price', '900'],
  ] as const)
    fill(label, value)
  await post()
  await becomes(t, () => heard.map((one) => one.post.vehicles?.[0]?.make), ['Zastava'])
})

t.test('files that cannot go up are refused in words, and of those that can one may fail alone', async (t) => {
  const { heard, files, post } = await openDialog(t)
  addFiles('Add photos', new File(['text'], 'notes.txt', { type: 'text/plain' }))
  await says('Please select only image files')
  const huge = aPicture('huge.jpg')
  Object.defineProperty(huge, 'size', { value: photoMaxBytes + 1 })
  addFiles('Add photos', huge)
  await says('huge.jpg is larger than 10MB')
  t.same(files.names, [])
  files.broken = 'image/gif'
  addFiles('Add photos', aPicture('good.jpg'), aPicture('bad.gif', 'image/gif'))
  await becomes(t, () => screen.queryAllByText(/^Failed to upload bad\.gif/).length > 0, true)
  await says(/1 photo uploaded, 1 failed/)
  fill('Title', 'With a photo')
  await completeVehicle()
  await post()
  await becomes(t, () => heard.map((one) => one.post.photoUrls?.length), [1])
  t.match(heard[0]?.post.photoUrls?.[0], /^http:\/\/localhost\/api\/objects\/[0-9a-f-]+$/)
})

t.test(`more than ${photosPerPost} photos are too many`, async (t) => {
  const { files } = await openDialog(t)
  files.hold = new Promise(() => undefined)
  addFiles('Add photos', ...Array.from({ length: photosPerPost + 1 }, (_, n) => aPicture(`${n}.jpg`)))
  await says(`Maximum ${photosPerPost} photos allowed. You can add ${photosPerPost} more.`)
  await says(`${photosPerPost} of ${photosPerPost}`)
})

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

t.test('the composer asks for a title and a vehicle, and keeps both when the server refuses', async (t) => {
  const { heard, posted, post } = openComposer(t, away)
  await post()
  await says('Title required')
  fill('Post title', 'A clean truck')
  await post()
  await says('Vehicle information required')
  await press('Add Vehicle')
  t.ok(screen.getByRole('button', { name: 'Add' }).hasAttribute('disabled'))
  await says('VIN, make and model are needed before you can add.')
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

t.test(
  'the composer looks a VIN up for a second, and what the server knows fills the rest, however late',
  async (t) => {
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
    t.same(asked, [], 'what no VIN contains is no question')
    fill('Model', 'My own model')
    fill('VIN', vin)
    t.equal(textIn('Make'), '', 'not at once')
    await becomes(t, () => ['Year', 'Make', 'Model', /^Trim/].map(textIn), ['2022', 'Ford', 'My own model', ''])
    await says('Auto-filled: 2022, Ford, F-150')
    fill('Make', 'My own make')
    arrive()
    await becomes(t, () => ['Make', /^Trim/].map(textIn), ['My own make', 'Lariat'])
    await says(/the 9th character should be X/)
    t.same(asked, [vin], 'asked once')
  },
)

t.test('what is attached in the composer is found again, and decides what kind of post it is', async (t) => {
  const { heard, post, unmount } = openComposer(t)
  fill('Post title', 'Two trucks')
  await addComposerVehicle(t)
  await addComposerVehicle(t)
  await press('Add Vehicle')
  fill('VIN', vin)
  fill('Notes (optional)', 'Half typed')
  addFiles('Add photos of this vehicle', aPicture('front.jpg'))
  await becomes(t, () => screen.queryAllByRole('img', { name: /front.jpg$/ }).length, 1)
  await says(/^Add Photos \(1/)
  unmount()
  show(t, <Composer renderTitle={() => null} onPosted={() => undefined} />, me)
  t.equal(textIn('Post title'), 'Two trucks')
  t.same([textIn('VIN'), textIn('Notes (optional)')], [vin, 'Half typed'], 'the one that is not attached yet, too')
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

t.test('what is typed in the composer while its last photo goes up is posted, too', async (t) => {
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

t.test('a spreadsheet file is read, or not, and attached', async (t) => {
  const { network, post, heard } = openComposer(t)
  let refuse = true
  network.use(
    http.post('*/api/spreadsheets/preview', async ({ request }) => {
      await sent(SheetPreviewRequest, request)
      if (refuse) return refusal(400, 'The sheet has no column that looks like a VIN')
      const row = { make: 'Ford', model: 'F-150', city: 'Tulsa', state: 'OK' }
      return answer(SheetPreview, {
        vehicles: [{ ...row, vin }, row],
        faults: [{ row: 7, message: 'the price is no number' }],
      })
    }),
  )
  const choose = () => addFiles('Spreadsheet file', new File(['vin'], 'stock.csv', { type: 'text/csv' }))
  choose()
  t.match((await screen.findByRole('alert')).textContent, /could not be read.*no column that looks like a VIN/)
  await press('Close spreadsheet preview')
  await becomes(t, () => screen.queryByRole('alert'), null)
  refuse = false
  choose()
  await says('1 vehicle found, 2 rows left out')
  await says('Row 7: the price is no number')
  await press('Attach 1 vehicle')
  await gone(t, '1 vehicle found, 2 rows left out')
  fill('Post title', 'My stock')
  await post()
  await becomes(t, () => heard.map((one) => one.post.vehicles?.map(({ city, state }) => [city, state])), [
    [['Tulsa', 'OK']],
  ])
})
