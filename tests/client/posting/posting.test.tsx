import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { photoMaxBytes, photosPerPost } from '#shared/limits.ts'
import { VinReport } from '#shared/schemas/posting.ts'
import { dialogOpen, fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, http } from '#tests/support/network.ts'
import { aPicture, addFiles, aVinReport, me, postingNetwork, vin } from '#tests/support/posting.ts'

/** A VIN from which no make or year can be decoded. */
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

async function completeVehicle() {
  fill('VIN', vin)
  await waitFor(() => textIn('Make') === 'Ford' || fail('not filled yet'))
  fill('Mileage', '48,210.5 mi')
  fill('Price', '31900')
}

t.test('sends numbers as meant, also in thousands, and marks unreadable ones without sending them', async (t) => {
  const { heard, post } = await openDialog(t)
  fill('Title', 'A clean truck')
  await completeVehicle()
  const leave = (label: string) => fireEvent.blur(screen.getByLabelText(label))
  for (const [label, text, refusal] of [
    ['Price', 'about 12', 'Enter dollars with at most two decimals, such as 12,500'],
    ['Price', '12,5', 'Enter dollars with at most two decimals, such as 12,500'],
    ['Price', '12500.125', 'Enter dollars with at most two decimals, such as 12,500'],
    ['Mileage', '-10', 'Enter miles, such as 45,000'],
    ['Year', '1850', 'Enter a year from 1900 to 2030'],
    ['Year', '20', 'Enter a year from 1900 to 2030'],
  ] as const) {
    const before = textIn(label)
    fill(label, text)
    t.equal(refusalOf(label), undefined, 'not while it is typed')
    leave(label)
    t.equal(refusalOf(label), refusal, text)
    await says('Incomplete')
    fireEvent.focus(screen.getByLabelText(label))
    fill(label, before)
  }
  fill('Price', '12.5k')
  fill('Mileage', '45k')
  t.equal(textIn('Mileage'), '45000')
  t.equal(screen.getByLabelText<HTMLInputElement>('Price').type, 'text', 'the mouse wheel changes nothing')
  await says('Complete')
  await post()
  await says('Inventory posted successfully!')
  t.match(heard[0]?.post.vehicles, [{ price: 12_500, mileage: 45_000, year: 2022 }])
})

t.test('refuses a post with missing fields or by the server, keeps the input, and never posts twice', async (t) => {
  const { heard, post } = await openDialog(t, away, away)
  await post()
  await says('Title required')
  t.equal(refusalOf('Title'), 'Please enter a title for your post')
  t.equal(refusalOf('Mileage'), 'Enter the mileage', 'the same press marks every missing field')
  await says('Still needed: VIN, year, make, model, mileage, price, title')
  fill('Title', 'A clean truck')
  await post()
  await says('Vehicle information required')
  await says('Still needed: VIN, year, make, model, mileage, price')
  t.same(['VIN', 'Year', 'Make', 'Model', 'Mileage', 'Price', 'City'].map(refusalOf), [
    'Enter a 17-character VIN without I, O or Q',
    'Enter the year',
    'Enter the make',
    'Enter the model',
    'Enter the mileage',
    'Enter the price',
    undefined,
  ])
  await becomes(t, () => document.activeElement === screen.getByLabelText('VIN'), true)
  await completeVehicle()
  await becomes(
    t,
    () => ['VIN', 'Year', 'Make', 'Model', 'Mileage', 'Price'].flatMap((one) => refusalOf(one) ?? []),
    [],
  )
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
  t.not(heard[1]?.key, heard[2]?.key, 'an edited post is a different one')
  const vehicle = { vin, year: 2022, make: 'Ford', model: 'F-150', mileage: 48_210, price: 31_900 }
  t.match(heard[2]?.post, { type: 'single', title: 'A cleaner truck', vehicles: [{ ...vehicle, city: 'Dallas' }] })
  t.same(Object.keys({ ...localStorage }), [], 'nothing of it is stored')
  await press('Open')
  t.equal(textIn('Title'), '')
})

t.test('restores a closed or reloaded draft until it is discarded', async (t) => {
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

t.test("requires a spreadsheet's link and sends no vehicles", async (t) => {
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
  t.same(heard[0]?.post.sheetSeen, { vehicles: 0, prices: 0 }, 'nobody has seen it, so that its vehicles wait')
})

t.test('explains why a spreadsheet cannot open bidding', async (t) => {
  const { heard, post } = await openDialog(t)
  fill('Title', 'Live auction: my stock')
  t.ok(screen.getByRole('switch', { name: 'Run a live auction' }))
  openTab('SPREADSHEET')
  await says('Bidding can be switched on once the vehicles of the spreadsheet are listed: edit the post then.')
  t.equal(screen.queryByRole('switch', { name: 'Run a live auction' }), null)
  fill('Spreadsheet URL', 'https://sheets.example/stock.csv')
  await post()
  await becomes(t, () => heard.map((one) => one.post.type), ['spreadsheet'])
  t.equal(heard[0]?.post.auction, undefined)
})

t.test('checks auction terms at their fields and leaves empty ones to the server', async (t) => {
  const { heard, post } = await openDialog(t)
  fill('Title', 'Live auction tonight')
  await completeVehicle()
  const [start, reserve, ends] = [/^Starting amount/, /^Reserve/, /^Ends/]
  fill(start, 'cheap')
  fill(reserve, 'little')
  fill(ends, '2020-01-01T10:00')
  await post()
  await says('Check the auction terms')
  t.same([start, reserve, ends].map(refusalOf), [
    'Enter an amount in dollars',
    'Enter an amount in dollars, or 0',
    'The end must come after the start',
  ])
  fill(start, '999999999')
  fill(reserve, '100,000,000')
  fill(ends, '')
  await post()
  await becomes(t, () => [start, reserve].map(refusalOf), [
    'Enter $99,999,999 or less',
    'Enter $99,999,999 or less, or 0',
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

t.test('turns live bidding on by default and sends no terms when it is off', async (t) => {
  const { heard, post } = await openDialog(t)
  t.equal(screen.queryByRole('switch', { name: 'Run a live auction' }), null, 'no mention of an auction')
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

t.test('says that bidding covers the first of several vehicles', async (t) => {
  await openDialog(t)
  fill('Title', 'Live auction tonight')
  await says('Bidding opens on these terms.')
  openTab('MULTIPLE VEHICLES')
  await press('Add Vehicle')
  await says(
    'Bidding opens on these terms. The auction sells the first vehicle in the post; the others stay for sale at their price.',
  )
})

t.test('fills empty fields from a VIN, warns, and never overwrites input', async (t) => {
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
  await says(/already posted: Webb Bros/)
})

t.test('fills in the year of a VIN with an unknown make', async (t) => {
  await openDialog(t)
  fill('VIN', 'ZZZFW1E59NKD69096')
  await becomes(t, () => [textIn('Year'), textIn('Make')], ['2022', ''])
  await says('Auto-filled: 2022')
})

t.test('allows posting with an unknown VIN or a failed lookup', async (t) => {
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

t.test('refuses unsuitable files and lets single uploads fail', async (t) => {
  const { heard, files, post } = await openDialog(t)
  addFiles('Add photos', new File(['text'], 'notes.txt', { type: 'text/plain' }))
  await says('Please select only image files')
  const huge = aPicture('huge.jpg')
  Object.defineProperty(huge, 'size', { value: photoMaxBytes + 1 })
  addFiles('Add photos', huge)
  await says('huge.jpg is larger than 10MB')
  t.same(files.names, [])
  await press('Remove huge.jpg')
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

t.test('sends a picture of which the browser knows no type', async (t) => {
  const { files } = await openDialog(t)
  addFiles('Add photos', new File(['x'], 'photo', { type: '' }), new File(['x'], 'notes.txt', { type: '' }))
  await says('Please select only image files')
  await says(/1 photo uploaded/)
  t.equal(files.names.length, 1)
})

t.test('shows each photo that is too large or empty as failed', async (t) => {
  const { files } = await openDialog(t)
  const huge = ['huge.jpg', 'vast.jpg'].map((name) =>
    Object.defineProperty(aPicture(name), 'size', { value: photoMaxBytes + 1 }),
  )
  const text = new File(['text'], 'notes.txt', { type: 'text/plain' })
  const empty = new File([], 'empty.jpg', { type: 'image/jpeg' })
  const size = Buffer.from('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\u0027\u0010\0\0\u0027\u0010', 'latin1')
  const wide = new File([size], 'wide.png', { type: 'image/png' })
  files.broken = 'image/gif'
  addFiles('Add photos', text, ...huge, empty, wide, aPicture('bad.gif', 'image/gif'), aPicture('good.jpg'))
  await says('Please select only image files. huge.jpg, vast.jpg are larger than 10MB. empty.jpg is empty')
  await says('Failed to upload bad.gif: This is no picture')
  await says('Failed to upload huge.jpg: Larger than 10MB')
  await says('Failed to upload vast.jpg: Larger than 10MB')
  await says('Failed to upload empty.jpg: The file is empty')
  await says('Failed to upload wide.png: This picture has 100 megapixels. The limit is 25')
  await says(/1 photo uploaded, 5 failed/)
  t.same(files.names.toSorted(), ['image/gif', 'image/jpeg'], 'the others were never sent')
  await says(`2 of ${photosPerPost}`)
  t.same(
    screen.queryAllByRole('button', { name: /^Retry/ }).map((button) => button.getAttribute('aria-label')),
    ['Retry bad.gif'],
    'a retry would not help the others',
  )
})

t.test(`refuses more than ${photosPerPost} photos`, async (t) => {
  const { files } = await openDialog(t)
  files.hold = new Promise(() => undefined)
  addFiles('Add photos', ...Array.from({ length: photosPerPost + 1 }, (_, n) => aPicture(`${n}.jpg`)))
  await says(`Maximum ${photosPerPost} photos allowed. You can add ${photosPerPost} more.`)
  await says(`${photosPerPost} of ${photosPerPost}`)
})
