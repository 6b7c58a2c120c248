import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { type PostDraft, storedPostDraft } from '#client/features/posting/post-draft.ts'
import { startPostOutbox, type UnsentPost, type UnsentStorage } from '#client/features/posting/post-outbox.ts'
import { UnsentList } from '#client/features/posting/unsent-posts.tsx'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { dialogOpen, fill, press, says, textIn } from '#tests/support/controls.ts'
import { answer, away, http, HttpResponse } from '#tests/support/network.ts'
import { addFiles, aPicture, me, postingNetwork, vin } from '#tests/support/posting.ts'
import { aCurrentUser } from '#tests/support/records.ts'

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

t.test('keeps what a waiting post leaves out in the draft, and refuses to leave out more in an edit', async (t) => {
  const { heard, storage } = await openWithOutbox(t, noConnection, noConnection)
  const addIncomplete = async (make: string) => {
    fireEvent.mouseDown(screen.getByRole('tab', { name: 'MULTIPLE VEHICLES' }), { button: 0 })
    await press('Add Vehicle')
    const second = within(await screen.findByRole('region', { name: 'Vehicle 2' }))
    fireEvent.change(second.getByLabelText('Make'), { target: { value: make } })
    await press('Post Inventory')
  }
  const makesIn = (draft: PostDraft | undefined) => draft?.vehicles.map(({ make }) => make)
  await addIncomplete('Kia')
  await says(/when the connection is back\. 1 vehicle left out of the post is kept in your draft\.$/)
  await becomes(t, dialogOpen, false)
  t.same(
    [...storage.rows.values()].map(({ draft }) => makesIn(draft)),
    [['Ford']],
  )
  t.same(makesIn(storedPostDraft.read(`dialog.${me.id}`)), ['Kia'])
  await press('Edit A clean truck')
  await screen.findByLabelText('Title')
  await addIncomplete('Audi')
  await says('Vehicles left out')
  t.equal(heard.length, 1)
  await press('Remove vehicle 2')
  await press('Post Inventory')
  await becomes(t, dialogOpen, false)
  t.equal(new Set(heard.map(({ key }) => key)).size, 1, 'the same post as before')
  t.same(makesIn(storedPostDraft.read(`dialog.${me.id}`)), ['Kia'])
})

t.test('keeps a vehicle that has only a photo that could not be uploaded yet', async (t) => {
  const { network, storage } = await openWithOutbox(t, noConnection)
  network.use(http.post('*/api/objects/upload', () => HttpResponse.error()))
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'MULTIPLE VEHICLES' }), { button: 0 })
  await press('Add Vehicle')
  const second = within(await screen.findByRole('region', { name: 'Vehicle 2' }))
  const choose = (file: File) =>
    fireEvent.change(second.getByLabelText('Add photos of this vehicle'), { target: { files: [file] } })
  choose(aPicture('side.jpg'))
  await says(/1 waiting for a connection$/)
  await press('Post Inventory')
  await says(/1 vehicle left out of the post is kept in your draft\.$/)
  await becomes(t, dialogOpen, false)
  t.same(
    [...storage.rows.values()].map(({ photos }) => photos.length),
    [0],
  )
  await press('Open')
  await screen.findByLabelText('Title')
  t.equal(screen.getAllByRole('button', { name: /^Remove photo|^Remove side/ }).length, 1)
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
