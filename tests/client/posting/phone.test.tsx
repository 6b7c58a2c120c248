import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { startPostOutbox, type UnsentPost, type UnsentStorage } from '#client/features/posting/post-outbox.ts'
import { UnsentList } from '#client/features/posting/unsent-posts.tsx'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { VinReport } from '#shared/schemas/posting.ts'
import { dialogOpen, fill, press, says, textIn } from '#tests/support/controls.ts'
import { answer, away, http, HttpResponse } from '#tests/support/network.ts'
import { addFiles, aPicture, aVinReport, fakePhotoReader, me, postingNetwork, vin } from '#tests/support/posting.ts'
import { aCurrentUser } from '#tests/support/records.ts'

const otherVin = '5YJ3E1EA7HF000337'

/** A fake camera with the codes it sees, counters, and an error to throw when it opens. */
interface Lens {
  sees: string[]
  opened: number
  stopped: number
  refusal: DOMException | undefined
}

function aPhone(t: Test): Lens {
  const lens: Lens = { sees: [], opened: 0, stopped: 0, refusal: undefined }
  const track = { stop: () => void (lens.stopped += 1) }
  const getUserMedia = async () => {
    if (lens.refusal) throw lens.refusal
    lens.opened += 1
    return { getTracks: () => [track] }
  }
  class Detector {
    static readonly getSupportedFormats = async () => ['code_39', 'qr_code']
    readonly detect = async () => lens.sees.map((rawValue) => ({ rawValue }))
  }
  const { matchMedia } = window
  t.intercept(window, 'matchMedia', {
    value: (query: string) => ({ ...matchMedia(query), matches: query === '(width < 48rem)' }),
  })
  fakePhotoReader(t, Detector)
  t.intercept(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  t.intercept(HTMLMediaElement.prototype, 'play', { value: async () => undefined })
  t.intercept(HTMLVideoElement.prototype, 'videoWidth', { value: 640 })
  t.intercept(HTMLVideoElement.prototype, 'videoHeight', { value: 400 })
  return lens
}

function Inventory() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <UnsentList />
      {open ? <PostDialog open onOpenChange={setOpen} /> : null}
    </>
  )
}

async function openDialog(t: Test, ...refusals: (() => Response)[]) {
  const server = postingNetwork(t, ...refusals)
  const view = show(t, <Inventory />, me)
  await screen.findByLabelText('Title')
  return { ...server, ...view }
}

t.test('scans vehicles one by one and asks only for unknown fields', async (t) => {
  const lens = aPhone(t)
  const { network, heard } = await openDialog(t)
  network.use(
    http.get('*/api/vin/:vin', ({ params }) =>
      answer(VinReport, aVinReport(params['vin'] === otherVin ? { year: 2017, make: 'Tesla', model: 'Model 3' } : {})),
    ),
  )
  await press('Edit the place')
  fill('City', 'Tulsa')
  lens.sees = [`I${vin}`]
  await press('Scan')
  await says('2022 Ford F-150')
  t.equal(screen.queryByLabelText('Make'), null, "the VIN's details are one line")
  t.same([textIn('VIN'), textIn('Title')], [vin, '2022 Ford F-150'])
  await becomes(t, () => document.activeElement === screen.getByLabelText('Mileage'), true)
  t.same([lens.opened, lens.stopped], [1, 1], 'the camera is closed')
  fill('Mileage', '48210')
  fill('Price', '31900')
  lens.sees = [otherVin]
  await press('Scan next VIN')
  await becomes(t, () => textIn('Title'), '2022 Ford F-150 and 1 more')
  const second = within(await screen.findByRole('region', { name: 'Vehicle 2' }))
  await second.findByText('2017 Tesla Model 3')
  t.ok(second.getByText('Tulsa, TX'), 'in the position of the last one')
  fill('Mileage', '61000')
  fill('Price', '14500')
  await press('Edit what the VIN says')
  await becomes(t, () => document.activeElement === second.getByLabelText('Year'), true)
  fill('Model', 'Model S')
  await press('Post Inventory')
  await becomes(
    t,
    () => heard.map(({ post }) => [post.type, post.title, post.vehicles?.map(({ city, model }) => [city, model])]),
    [
      [
        'multiple',
        '2022 Ford F-150 and 1 more',
        [
          ['Tulsa', 'F-150'],
          ['Tulsa', 'Model S'],
        ],
      ],
    ],
  )
  await becomes(t, dialogOpen, false)
  lens.sees = []
  await press('Open')
  await screen.findByRole('region', { name: 'Scan VIN' })
  await becomes(t, () => lens.opened, 3)
  await press('Close camera')
  await becomes(t, () => lens.stopped, 3)
})

t.test('suggests a title from a typed VIN, and keeps one that the dealer types', async (t) => {
  const lens = aPhone(t)
  await openDialog(t)
  fill('VIN', vin)
  await becomes(t, () => textIn('Title'), '2022 Ford F-150')
  fill('Title', 'A clean truck')
  lens.sees = [otherVin]
  await press('Scan')
  await becomes(t, () => textIn('VIN'), otherVin)
  t.equal(textIn('Title'), 'A clean truck')
})

t.test('explains why the camera is unavailable and reads a photo of the barcode instead', async (t) => {
  const lens = aPhone(t)
  await openDialog(t)
  for (const [name, words] of [
    ['NotAllowedError', /^Camera access was denied/],
    ['NotFoundError', /^No camera was found/],
    ['NotReadableError', /^Another app is using the camera/],
    ['AbortError', /^The camera could not be opened/],
  ] as const) {
    lens.refusal = new DOMException('refused', name)
    await press('Scan')
    await says(words)
    await press('Close camera')
  }
  Reflect.deleteProperty(navigator, 'mediaDevices')
  await press('Scan')
  await says(/over a secure connection \(https\)/)
  addFiles('Take or choose a photo', aPicture('blurred.jpg'))
  await says(/^No VIN could be read from this photo/)
  lens.sees = ['1FTFW1E59NKD69097']
  addFiles('Take or choose a photo', aPicture('wrong.jpg'))
  await says(/its check digit does not match/)
  t.equal(textIn('VIN'), '')
  await press('Use it anyway')
  t.equal(textIn('VIN'), '1FTFW1E59NKD69097')
  await press('Scan')
  await screen.findByLabelText('Take or choose a photo')
  lens.sees = [vin]
  addFiles('Take or choose a photo', aPicture('door.jpg'))
  await becomes(t, () => textIn('VIN'), vin)
})

/** A fake storage for unsent posts. Unlike the real storage, it has no posts of other dealers. */
function aStorage(): UnsentStorage & { rows: Map<string, UnsentPost> } {
  const rows = new Map<string, UnsentPost>()
  return {
    rows,
    put: async (post) => Boolean(rows.set(post.id, post)),
    remove: async (id) => void rows.delete(id),
    list: async () => [...rows.values()],
  }
}

const noConnection = () => HttpResponse.error() as Response

/** Fills in the dialog with an outbox that retries only when the test calls `back` or `restart`. */
async function openWithOutbox(t: Test, ...refusals: (() => Response)[]) {
  const server = await openDialog(t, ...refusals)
  const signedIn = { as: me }
  server.network.use(http.get('*/api/auth/me', () => answer(CurrentUser, signedIn.as)))
  const storage = aStorage()
  const start = () =>
    startPostOutbox({
      dealerId: me.id,
      cache: server.cache,
      storage,
      clock: { random: () => 0, after: () => () => undefined },
    })
  let stop = start()
  t.teardown(() => stop())
  fill('Title', 'A clean truck')
  fill('VIN', vin)
  await waitFor(() => {
    if (textIn('Make') !== 'Ford') throw new Error('not filled yet')
  })
  fill('Mileage', '48210')
  fill('Price', '31900')
  return {
    ...server,
    storage,
    signedIn,
    back: () => void window.dispatchEvent(new Event('online')),
    restart: () => {
      stop()
      stop = start()
    },
  }
}

t.test('marks an offline post as waiting and sends it once when online', async (t) => {
  const { heard, storage, back, restart, signedIn } = await openWithOutbox(t, noConnection, away)
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  await says(/^Waiting for a connection: “A clean truck”$/)
  t.equal(storage.rows.size, 1)
  t.same(Object.keys({ ...localStorage }), [], 'its draft is deleted')
  signedIn.as = aCurrentUser({ name: 'Somebody else' })
  restart()
  await says(/^Waiting for a connection: “A clean truck”$/)
  t.equal(heard.length, 1, 'not as another dealer who has signed in meanwhile')
  signedIn.as = me
  back()
  await becomes(t, () => heard.length, 2)
  await says(/^Waiting for a connection: “A clean truck”$/)
  back()
  await says('Inventory posted successfully!')
  await becomes(t, () => [heard.length, storage.rows.size], [3, 0])
  t.equal(new Set(heard.map(({ key }) => key)).size, 1, 'with the key of the first attempt')
  t.equal(screen.queryByText(/A clean truck/), null)
})

t.test('uploads a waiting photo before its post', async (t) => {
  const { network, heard, files, storage, back } = await openWithOutbox(t)
  let isDown = true
  network.use(http.post('*/api/objects/upload', () => (isDown ? HttpResponse.error() : undefined)))
  addFiles('Add photos', aPicture('front.jpg'))
  await says('Waiting for a connection')
  await says(/1 waiting for a connection$/)
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  t.same(
    [...storage.rows.values()].flatMap(({ photos }) => photos.map(({ name, url, file }) => [name, url, file?.name])),
    [['front.jpg', undefined, 'front.jpg']],
  )
  t.same([heard.length, files.names.length], [0, 0])
  isDown = false
  back()
  await becomes(t, () => heard.map(({ post }) => post.photoUrls?.length), [1])
  t.equal(files.names.length, 1)
})

t.test('edits or discards a waiting post', async (t) => {
  const { heard, storage, back } = await openWithOutbox(t, noConnection, noConnection)
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  await press('Edit A clean truck')
  await screen.findByLabelText('Title')
  t.same([textIn('Title'), textIn('Mileage')], ['A clean truck', '48210'])
  back()
  fill('Title', 'A cleaner truck')
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  await says(/^Waiting for a connection: “A cleaner truck”$/)
  t.same(
    [...storage.rows.values()].map(({ draft }) => draft.title),
    ['A cleaner truck'],
  )
  t.same(
    heard.map(({ post }) => post.title),
    ['A clean truck', 'A cleaner truck'],
    'not as it was while open',
  )
  await press('Discard A cleaner truck')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
  await becomes(t, () => storage.rows.size, 0)
  back()
  t.equal(heard.length, 2)
})

t.test('shows why the server refused a waiting post and lets it be edited', async (t) => {
  const refused = () =>
    HttpResponse.json(
      { error: { code: 'bad_request', message: 'The end must come after the start', requestId: 'test' } },
      { status: 400 },
    )
  const { heard, back } = await openWithOutbox(t, noConnection, refused)
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  back()
  await says(/^Not posted\. The end must come after the start: “A clean truck”$/)
  await press('Edit A clean truck')
  await screen.findByLabelText('Title')
  await press('Post Inventory')
  await says('Inventory posted successfully!')
  t.equal(heard.length, 3)
  await becomes(t, () => screen.queryByText(/^Not posted/), null)
})

t.test('does not send a waiting post discarded or opened during the session check', async (t) => {
  const { network, heard, storage, back } = await openWithOutbox(t, noConnection)
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  const answers: (() => void)[] = []
  network.use(
    http.get('*/api/auth/me', async () => {
      await new Promise<void>((resolve) => answers.push(resolve))
      return answer(CurrentUser, me)
    }),
  )
  back()
  await becomes(t, () => answers.length, 1)
  await press('Edit A clean truck')
  await screen.findByLabelText('Title')
  const { list } = storage
  let looked = 0
  storage.list = () => {
    looked += 1
    return list()
  }
  answers.shift()?.()
  // The outbox checks again after the running attempt ends.
  back()
  await becomes(t, () => looked, 1)
  fill('Title', 'A cleaner truck')
  await press('Cancel')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Close' }))
  await becomes(t, dialogOpen, false)
  await becomes(t, () => answers.length, 1)
  t.equal(heard.length, 1, 'not while its form was open')
  await press('Discard A clean truck')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
  await becomes(t, () => storage.rows.size, 0)
  const lookedBefore = looked
  answers.shift()?.()
  back()
  await becomes(t, () => looked, lookedBefore + 1)
  t.equal(heard.length, 1, 'not after it was cancelled either')
})

/** Fakes the locks that tabs share. Returns the names of the held locks. */
function aBrowser(t: Test) {
  const held = new Set<string>()
  const request = async (name: string, ...given: unknown[]) => {
    const work = given.at(-1) as (lock: object | null) => Promise<void> | undefined
    if (held.has(name)) return work(null)
    held.add(name)
    try {
      await work({ name })
    } finally {
      held.delete(name)
    }
    return undefined
  }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  t.teardown(() => Reflect.deleteProperty(navigator, 'locks'))
  return held
}

t.test('holds a waiting post while it is open in this or another tab', async (t) => {
  const held = aBrowser(t)
  const { heard, storage, back } = await openWithOutbox(t, noConnection)
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  const [id = ''] = storage.rows.keys()
  held.add(`lanewire-post-${id}`)
  const { list } = storage
  let looked = 0
  storage.list = () => list().finally(() => void (looked += 1))
  back()
  await becomes(t, () => looked, 1)
  await press('Edit A clean truck')
  await says('This post is open in another tab')
  const lookedBefore = looked
  back()
  await becomes(t, () => [looked > lookedBefore, held.size], [true, 1])
  t.equal(heard.length, 1)
  held.clear()
  await press('Edit A clean truck')
  await screen.findByLabelText('Title')
  t.same([...held], [`lanewire-post-${id}`])
  await press('Cancel')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Close' }))
  await becomes(t, dialogOpen, false)
  await says('Inventory posted successfully!')
  t.same([heard.length, held.size], [2, 0])
})
