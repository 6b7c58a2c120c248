import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { EditDialog, EditForm } from '#client/features/posting/edit-dialog.tsx'
import { SheetNotice } from '#client/features/posting/spreadsheet-notice.tsx'
import { PostDetail, PostPatch, type Vehicle } from '#shared/schemas/posts.ts'
import { SheetReport } from '#shared/schemas/posting.ts'
import { choose, dialogOpen, fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, refusal, sent, wouldEndAuction } from '#tests/support/network.ts'
import { aPostDetail, aShownVehicle } from '#tests/support/records.ts'
import { aPicture, addFiles, me, postingNetwork, vin } from '#tests/support/posting.ts'

const aVehicle = (about: Partial<Vehicle> = {}) =>
  aShownVehicle({ vin, year: 2022, mileage: 48_210, city: 'Dallas', state: 'TX', ...about })

/** Opens the edit dialog. The server first returns the given refusals and then accepts changes. */
function openEdit(
  t: Test,
  { bound = false, refusals = [] as (() => Response)[], about = {} as Partial<PostDetail> } = {},
) {
  const own = { title: 'A clean truck', vehicles: [aVehicle()], photoUrls: ['/api/objects/1'] }
  const post = aPostDetail({ ...own, ...about })
  const server = postingNetwork(t)
  const patches: PostPatch[] = []
  const closed: string[] = []
  server.network.use(
    http.patch(`*/api/inventory/${post.id}`, async ({ request }) => {
      patches.push(await sent(PostPatch, request))
      return refusals.shift()?.() ?? answer(PostDetail, post)
    }),
  )
  show(t, <EditForm post={post} bound={bound} onClose={() => void closed.push('closed')} />, me)
  return { ...server, post, patches, closed, save: () => press('Save changes') }
}

t.test('edits a post, marks missing fields, and keeps input after a refusal', async (t) => {
  const { post, patches, closed, save } = openEdit(t, { refusals: [away] })
  fill('Title', ' ')
  await save()
  await says('Title required')
  fill(/^Description/, 'Third key')
  t.equal(refusalOf('Title'), 'Please enter a title for your post', 'changing another field does not clear the error')
  fill(/^Description/, 'Second key, clean title.')
  fill('Title', 'A cleaner truck')
  t.equal(refusalOf('Title'), undefined)
  fill('Make', '')
  await save()
  await says('Please complete every vehicle, or remove it')
  await says('Still needed: make.')
  fill('Make', 'Ford')
  fill('Price', '30000')
  await save()
  await says('Post not changed')
  await says('The database is away')
  t.same([textIn('Title'), textIn('Price')], ['A cleaner truck', '30000'])
  t.same(closed, [])
  await save()
  await becomes(t, () => closed, ['closed'])
  const vehicleChanges = { changed: [{ id: post.vehicles[0]?.id, price: 30_000 }] }
  t.same(patches[1], { title: 'A cleaner truck', vehicleChanges }, 'unchanged fields are not sent')
})

t.test('sends status and photos of a vehicle only if they changed', async (t) => {
  const vehicles = [[], ['/api/objects/2'], ['/api/objects/3']].map((photos) => aVehicle({ id: randomUUID(), photos }))
  const { patches, closed, save } = openEdit(t, {
    about: { type: 'multiple', vehicles, photoUrls: ['/api/objects/1', '/api/objects/2', '/api/objects/3'] },
  })
  await choose('Status of vehicle 2', 'Sold')
  await save()
  await becomes(t, () => closed.length, 1)
  t.same(patches, [{ vehicleChanges: { changed: [{ id: vehicles[1]?.id, status: 'sold' }] } }])
})

t.test('asks before an edit ends the auction, then resends it with the answer', async (t) => {
  const { post, patches, closed, save } = openEdit(t, { refusals: [wouldEndAuction, wouldEndAuction] })
  const vehicleChanges = { changed: [{ id: post.vehicles[0]?.id, status: 'pending' }] }
  await choose('Status of vehicle 1', 'Pending')
  await save()
  await says('End the auction?')
  await press('Keep auction')
  await gone(t, 'End the auction?')
  t.same([closed, patches], [[], [{ vehicleChanges }]], 'the form keeps its input')
  await save()
  await says('End the auction?')
  await press('End auction')
  await becomes(t, () => closed, ['closed'])
  t.same(patches.slice(1), [{ vehicleChanges }, { vehicleChanges, endAuction: true }])
  t.equal(screen.queryByText('Post not changed'), null, 'a question is not an error')
})

t.test('opens bidding on an edit only with the switch', async (t) => {
  const { patches, closed, save } = openEdit(t)
  fill(/^Description/, 'No auction fees')
  t.equal(screen.getByRole('switch', { name: 'Run a live auction' }).getAttribute('aria-checked'), 'false')
  await save()
  await becomes(t, () => closed.length, 1)
  fireEvent.click(screen.getByRole('switch', { name: 'Run a live auction' }))
  t.ok(
    screen.getByText(
      'Saving opens bidding on this post. Open offers on the auctioned vehicle end, and their buyers are notified.',
    ),
  )
  fill(/^Starting amount/, '9000')
  await save()
  await becomes(t, () => patches, [
    { description: 'No auction fees' },
    { description: 'No auction fees', auction: { startAmount: 9_000 } },
  ])
})

t.test('opens bidding on vehicles of a spreadsheet', async (t) => {
  const { patches, save } = openEdit(t, { about: { type: 'spreadsheet', title: 'Live auction: my stock' } })
  fireEvent.click(screen.getByRole('switch', { name: 'Run a live auction' }))
  fill(/^Starting amount/, '9000')
  await save()
  await becomes(t, () => patches, [{ auction: { startAmount: 9_000 } }])
})

t.test("shows and edits the composer's fields: place, notes, at dealership, vehicle photos, facilitator", async (t) => {
  const vehicle = aVehicle({
    year: null,
    mileage: null,
    price: null,
    city: null,
    state: null,
    notes: 'Second key',
    location: 'Lot 7',
    atDealership: true,
    photos: ['/api/objects/2'],
  })
  const about = { auctionFacilitator: 'iaai', vehicles: [vehicle], photoUrls: ['/api/objects/1', '/api/objects/2'] }
  const { patches, closed, save } = openEdit(t, { about })
  t.same([textIn(/^Notes/), textIn(/^Location/)], ['Second key', 'Lot 7'])
  t.equal(screen.getByRole('switch', { name: 'At dealership' }).getAttribute('aria-checked'), 'true')
  t.equal(screen.getByRole('combobox', { name: 'Auction facilitator' }).textContent, 'IAAI', 'by its name')
  t.equal(within(screen.getByRole('list', { name: 'Photos of this vehicle' })).getAllByRole('img').length, 1)
  fill(/^Notes/, 'Third key')
  fireEvent.click(screen.getByRole('switch', { name: 'At dealership' }))
  await choose('Auction facilitator', 'None')
  await choose('State', 'ON')
  fireEvent.click(
    within(screen.getByRole('list', { name: 'Photos of this vehicle' })).getByRole('button', {
      name: 'Remove photo 1',
    }),
  )
  await save()
  await becomes(t, () => closed, ['closed'])
  const changed = [
    {
      id: vehicle.id,
      notes: 'Third key',
      atDealership: false,
      state: 'ON',
      photos: [],
      photosRead: ['/api/objects/2'],
    },
  ]
  t.same(patches, [{ auctionFacilitator: '', vehicleChanges: { changed } }])
})

/** Saves an edit while a photo is uploading. The upload finishes when the test calls `arrive`. */
async function saveBeforePhoto(t: Test) {
  const edit = openEdit(t)
  const { files, save } = edit
  let arrive = () => {}
  files.hold = new Promise<void>((resolve) => (arrive = resolve))
  addFiles('Add photos', aPicture('truck.jpg'))
  await becomes(t, () => files.names.length, 1)
  await save()
  await says('Saving...')
  return { ...edit, arrive }
}

t.test('saves changes typed while the last photo uploads', async (t) => {
  const { patches, arrive } = await saveBeforePhoto(t)
  fill(/^Description/, 'Third key')
  arrive()
  await becomes(t, () => patches.map(({ description, photoUrls }) => [description, photoUrls?.length]), [
    ['Third key', 2],
  ])
})

t.test('closes without a request if nothing changed', async (t) => {
  const { patches, closed, save } = openEdit(t)
  fill(/^Description/, 'Third key')
  fill(/^Description/, ' Second key, clean title. ')
  await save()
  await becomes(t, () => closed, ['closed'])
  t.same(patches, [])
})

t.test('sends only description and new photos of a post with a bid', async (t) => {
  const { post, patches, save } = openEdit(t, { bound: true })
  t.ok(screen.getByLabelText('Title').hasAttribute('disabled'))
  t.equal(screen.queryByLabelText('VIN'), null)
  fill(/^Description/, 'Third key')
  addFiles('Add photos', aPicture('truck.jpg'))
  await save()
  await becomes(t, () => patches.length, 1)
  t.same(Object.keys(patches[0] ?? {}).toSorted(), ['description', 'photoUrls', 'photoUrlsRead'])
  t.same(patches[0]?.photoUrls?.slice(0, -1), post.photoUrls)
  t.same(patches[0]?.photoUrlsRead, post.photoUrls)
})

t.test('changes and removes vehicles except the first, which has a bid', async (t) => {
  const vehicles = [1, 2, 3].map((number) => aVehicle({ id: randomUUID(), price: number * 10_000 }))
  const refused = () => refusal(409, 'This auction has a bid, so you cannot add vehicles to its post')
  const { post, patches, closed, save } = openEdit(t, {
    bound: true,
    about: { type: 'multiple', vehicles },
    refusals: [refused],
  })
  await says(/and edit or remove the other vehicles/)
  t.equal(screen.queryByLabelText('Status of vehicle 1'), null)
  t.equal(screen.queryByText('Add Vehicle'), null)
  await choose('Status of vehicle 2', 'Sold')
  await press('Remove vehicle 3')
  await save()
  await says(/you cannot add vehicles/)
  t.same(closed, [], 'nothing is lost')
  await save()
  await becomes(t, () => closed.length, 1)
  const [, second, third] = post.vehicles.map(({ id }) => id)
  t.same(patches[1], { vehicleChanges: { changed: [{ id: second, status: 'sold' }], removed: [third] } })
})

t.test('shows a missing post as not found, without Retry', async (t) => {
  fakeNetwork(t).use(http.get('*/api/inventory/x', () => refusal(400, 'Id is not a valid uuid')))
  show(t, <EditDialog bound={false} />, me, '/?edit=x')
  await says('It may have been removed, or the address may be wrong.')
  t.equal(screen.queryByRole('button', { name: 'Retry' }), null)
})

t.test('opens a post for editing to its seller only, and explains refusals', async (t) => {
  const post = aPostDetail({ dealer: me, title: 'A clean truck' })
  const answers = [away, () => answer(PostDetail, aPostDetail({ id: post.id })), () => answer(PostDetail, post)]
  fakeNetwork(t).use(http.get(`*/api/inventory/${post.id}`, () => answers.shift()?.()))
  const { cache, history } = show(t, <EditDialog bound={false} />, me, `/?edit=${post.id}`)
  await says('Loading the post')
  t.match((await screen.findByRole('alert')).textContent, /cannot be edited.*The database is away/)
  await press('Retry')
  await says('Only the seller can edit it.')
  t.equal(screen.queryByRole('button', { name: 'Retry' }), null)
  await cache.invalidateQueries()
  await screen.findByLabelText('Title')
  t.equal(textIn('Title'), 'A clean truck')
  await press('Cancel')
  await becomes(t, dialogOpen, false)
  t.same(history, ['/'], 'Back does not open it again')
})

const textOf = (list: string) => screen.getByRole('list', { name: list, hidden: true }).textContent

t.test("shows a spreadsheet's progress, failure, retry and skipped rows", async (t) => {
  const postId = randomUUID()
  const blank = { found: 0, faults: [], summary: null, error: null, changes: null, held: null }
  let report: SheetReport = { ...blank, state: 'failed', error: 'The link needs a sign-in' }
  let refuse = true
  fakeNetwork(t).use(
    http.get(`*/api/inventory/${postId}/sheet`, () => answer(SheetReport, report)),
    http.post(`*/api/inventory/${postId}/sheet`, () => {
      if (refuse) return refusal(429, 'Once a minute is enough')
      return answer(SheetReport, { ...blank, state: 'waiting' })
    }),
  )
  const { cache } = show(t, <SheetNotice postId={postId} version={1} />)
  t.match((await screen.findByRole('alert')).textContent, 'The link needs a sign-in')
  await press('Retry')
  await says('Spreadsheet not read')
  await says('Once a minute is enough')
  refuse = false
  await press('Retry')
  await says('Reading the spreadsheet')
  const price = { row: 9, message: 'the price is negative', column: 'Asking', text: '(9,500)', listed: true }
  const summary = { priceFrom: ['Asking', 'Retail'], unread: ['Stock #', 'MSRP'], hiddenRows: 2, moreFaults: 0 }
  report = { ...blank, state: 'done', found: 3, faults: [{ row: 7, message: 'no VIN' }, price], summary }
  await cache.invalidateQueries()
  await says('3 vehicles listed, 1 row left out, 1 cell to check')
  await says('Row 7: no VIN')
  t.match(textOf('Rows to check'), /Row 9: the price is negative \(Asking: \(9,500\)\)/)
  t.equal(
    textOf('How the columns were read'),
    'Price column: Asking; where it is empty: RetailColumns not read: Stock #, MSRP2 hidden rows not read',
  )
  report = { ...report, faults: [] }
  await cache.invalidateQueries()
  await says('3 vehicles listed')
})

t.test('keeps an edit after a stray Escape, including collapsed fields', async (t) => {
  const { closed } = openEdit(t, { about: { vehicles: [aVehicle(), aVehicle({ id: randomUUID() })] } })
  const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  fill('Title', 'A cleaner truck')
  escape()
  await says('Discard what you typed?')
  await press('Keep editing')
  await becomes(t, () => screen.queryByRole('alertdialog') === null, true)
  t.same(closed, [])
  fill('Title', 'A clean truck')
  escape()
  await becomes(t, () => closed, ['closed'])
})

t.test('does not save an edit cancelled while a photo uploads', async (t) => {
  const { patches, closed, arrive } = await saveBeforePhoto(t)
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await says('Discard what you typed?')
  await press('Keep editing')
  await press('Cancel')
  t.same(closed, ['closed'])
  arrive()
  await becomes(t, () => screen.queryByText('Saving...'), null)
  t.same(patches, [])
})
