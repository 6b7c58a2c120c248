import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { Composer } from '#client/features/posting/composer.tsx'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { emptyDraft, storedPostDraft } from '#client/features/posting/post-draft.ts'
import { type UnsentPost, startPostOutbox } from '#client/features/posting/post-outbox.ts'
import { forgetDealer } from '#client/lib/query/query-client.ts'
import { resetStore } from '#client/lib/storage/store-slice.ts'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { dialogOpen, fill, press, says, textIn } from '#tests/support/controls.ts'
import { answer, http } from '#tests/support/network.ts'
import { aPicture, addFiles, me, postingNetwork, vin } from '#tests/support/posting.ts'
import { aCurrentUser } from '#tests/support/records.ts'

/** Unmounts the dialog when it closes, as the app does. */
function Frame() {
  const [open, setOpen] = useState(true)
  return open ? (
    <PostDialog open onOpenChange={setOpen} />
  ) : (
    <button type="button" onClick={() => setOpen(true)}>
      Open
    </button>
  )
}

const openTab = (name: string) => void fireEvent.mouseDown(screen.getByRole('tab', { name }), { button: 0 })

async function completePost(t: Test) {
  await screen.findByLabelText('Title')
  fill('Title', 'A clean truck')
  fill('VIN', vin)
  await becomes(t, () => textIn('Make'), 'Ford')
  fill('Mileage', '48210')
  fill('Price', '31900')
}

t.test('posts once if the dialog is reopened while a photo uploads', async (t) => {
  const { heard, files } = postingNetwork(t)
  let arrive = () => {}
  files.hold = new Promise<void>((resolve) => (arrive = resolve))
  show(t, <Frame />, me)
  await completePost(t)
  addFiles('Add photos', aPicture('truck.jpg'))
  await becomes(t, () => files.names.length, 1)
  await press('Post Inventory')
  await press('Cancel')
  await press('Open')
  await says('Posting...')
  await says('1 of 50')
  fill('Title', 'A cleaner truck')
  arrive()
  await says('Inventory posted successfully!')
  await becomes(t, () => textIn('Title'), '')
  await says('0 of 50')
  t.same(
    heard.map(({ post }) => [post.title, post.photoUrls?.length]),
    [['A cleaner truck', 1]],
  )
})

t.test('restores a photo still uploading when the composer was left, even after a reload', async (t) => {
  const { files } = postingNetwork(t)
  let arrive = () => {}
  files.hold = new Promise<void>((resolve) => (arrive = resolve))
  function Page() {
    const [isPosting, setPosting] = useState(true)
    return (
      <>
        <button type="button" onClick={() => setPosting(!isPosting)}>
          Post mode
        </button>
        {isPosting ? <Composer renderTitle={() => null} onPosted={() => undefined} /> : null}
      </>
    )
  }
  const view = show(t, <Page />, me)
  await screen.findByLabelText('Post title')
  fill('Post title', 'A clean truck')
  addFiles('Photos', aPicture('truck.jpg'))
  await becomes(t, () => files.names.length, 1)
  await press('Post mode')
  await press('Post mode')
  await says('Add Photos (1/30)')
  await press('Post mode')
  arrive()
  await becomes(t, () => storedPostDraft.read(`composer.${me.id}`)?.photos.map(({ name }) => name), ['truck.jpg'])
  view.unmount()
  resetStore()
  show(t, <Page />, me)
  await says('Add Photos (1/30)')
  t.equal(textIn('Post title'), 'A clean truck')
})

t.test('clears a reopened dialog once its post is sent', async (t) => {
  let take = () => {}
  const taken = new Promise<void>((resolve) => (take = resolve))
  const { network, heard } = postingNetwork(t)
  network.use(
    http.post('*/api/inventory', async () => {
      await taken
      return undefined
    }),
  )
  show(t, <Frame />, me)
  await completePost(t)
  await press('Post Inventory')
  await press('Cancel')
  await press('Open')
  await screen.findByLabelText('Title')
  t.equal(textIn('Title'), 'A clean truck', 'the result is not known yet')
  take()
  await says('Inventory posted successfully!')
  await becomes(t, () => textIn('Title'), '')
  t.equal(heard.length, 1)
})

t.test('keeps what is typed while its post is sent, except what the post contains', async (t) => {
  let take = () => {}
  const taken = new Promise<void>((resolve) => (take = resolve))
  const { network, heard } = postingNetwork(t)
  network.use(
    http.post('*/api/inventory', async () => {
      await taken
      return undefined
    }),
  )
  show(t, <Frame />, me)
  await completePost(t)
  await press('Post Inventory')
  openTab('MULTIPLE VEHICLES')
  await press('Add Vehicle')
  const second = within(await screen.findByRole('region', { name: 'Vehicle 2' }))
  fireEvent.change(second.getByLabelText('Make'), { target: { value: 'Kia' } })
  await press('Cancel')
  await press('Open')
  await screen.findByRole('region', { name: 'Vehicle 2' })
  take()
  await says('Inventory posted successfully!')
  await becomes(t, () => [textIn('Title'), textIn('Make')], ['', 'Kia'])
  t.equal(heard.length, 1)
})

t.test('posts complete vehicles and says first which ones are left out', async (t) => {
  const { heard } = postingNetwork(t)
  show(t, <Frame />, me)
  await completePost(t)
  openTab('MULTIPLE VEHICLES')
  await press('Add Vehicle')
  const second = within(await screen.findByRole('region', { name: 'Vehicle 2' }))
  fireEvent.change(second.getByLabelText('Make'), { target: { value: 'Kia' } })
  await says('1 of 2 vehicles complete, 1 incomplete will be left out')
  await press('Post Inventory')
  await becomes(t, () => heard.map((one) => [one.post.type, one.post.vehicles?.length]), [['multiple', 1]])
  await says('1 vehicle left out of the post is kept in your draft.')
  await press('Open')
  t.same([textIn('Title'), textIn('VIN'), textIn('Make')], ['', '', 'Kia'])
})

t.test('keeps the vehicles of another tab, with their photos, for the next post', async (t) => {
  const { heard } = postingNetwork(t)
  show(t, <Frame />, me)
  await completePost(t)
  openTab('MULTIPLE VEHICLES')
  for (const number of [2, 3]) {
    await press('Add Vehicle')
    const one = within(await screen.findByRole('region', { name: `Vehicle ${number}` }))
    fireEvent.change(one.getByLabelText('Make'), { target: { value: `Make ${number}` } })
    fireEvent.change(one.getByLabelText('Add photos of this vehicle'), {
      target: { files: [aPicture(`${number}.jpg`)] },
    })
    await one.findByRole('button', { name: 'Remove photo 1' })
  }
  openTab('SINGLE VEHICLE')
  await press('Post Inventory')
  await says('2 vehicles left out of the post are kept in your draft.')
  t.same(
    heard.map(({ post: sent }) => [sent.type, sent.vehicles?.map(({ make }) => make), sent.photoUrls]),
    [['single', ['Ford'], []]],
  )
  await press('Open')
  const makes = () => screen.getAllByLabelText<HTMLInputElement>('Make').map(({ value }) => value)
  await becomes(t, makes, ['Make 2', 'Make 3'])
  t.equal(screen.getAllByRole('button', { name: 'Remove photo 1' }).length, 2)
  openTab('SPREADSHEET')
  fill('Title', 'My stock')
  fill('Spreadsheet URL', 'https://sheets.example/stock.csv')
  await press('Post Inventory')
  await becomes(t, () => heard.length, 2)
  await becomes(t, dialogOpen, false)
  await press('Open')
  await becomes(t, makes, ['Make 2', 'Make 3'])
  t.equal(textIn('Title'), '')
})

const next = aCurrentUser({ name: 'Somebody Else' })

t.test('does not upload waiting photos as the next dealer', async (t) => {
  const { files } = postingNetwork(t)
  let arrive = () => {}
  files.hold = new Promise<void>((resolve) => (arrive = resolve))
  const left = show(t, <Composer renderTitle={() => null} onPosted={() => undefined} />, me)
  await screen.findByLabelText('Post title')
  fill('Post title', 'A clean truck')
  addFiles('Photos', ...Array.from({ length: 6 }, (_, number) => aPicture(`${number}.jpg`)))
  await becomes(t, () => files.names.length, 4)
  left.unmount()
  forgetDealer(left.cache)
  arrive()
  show(t, <Composer renderTitle={() => null} onPosted={() => undefined} />, next)
  await screen.findByLabelText('Post title')
  addFiles('Photos', aPicture('theirs.png', 'image/png'))
  await becomes(t, () => storedPostDraft.read(`composer.${next.id}`)?.photos.map(({ ready }) => ready), [true])
  t.same([files.names.length, files.names.at(-1)], [5, 'image/png'])
  t.equal(screen.queryByText('Photo upload failed'), null, 'and no message about them')
  t.equal(storedPostDraft.read(`composer.${me.id}`)?.title, 'A clean truck')
})

t.test('does not upload photos of a pending post as the next dealer', async (t) => {
  const { network, heard, files } = postingNetwork(t)
  let arrive = () => {}
  files.hold = new Promise<void>((resolve) => (arrive = resolve))
  const signedIn = { as: me }
  network.use(http.get('*/api/auth/me', () => answer(CurrentUser, signedIn.as)))
  const photos = ['front.jpg', 'back.jpg'].map((name) => {
    return { name, file: aPicture(name), url: undefined, vehicle: undefined }
  })
  const kept: UnsentPost = {
    id: 'one',
    draft: { ...emptyDraft(), title: 'A truck' },
    photos,
    order: 1,
    state: 'waiting',
  }
  const rows = new Map([[kept.id, kept]])
  const storageOf = (own: Map<string, UnsentPost>) => ({
    put: async (post: UnsentPost) => Boolean(own.set(post.id, post)),
    remove: async (id: string) => void own.delete(id),
    list: async () => [...own.values()],
  })
  const { cache } = show(t, null, me)
  const stop = startPostOutbox({ dealerId: me.id, cache, storage: storageOf(rows) })
  await becomes(t, () => files.names.length, 1)
  stop()
  signedIn.as = next
  arrive()
  const theirs = new Map([['two', { ...kept, id: 'two', photos: [] }]])
  const stopNext = startPostOutbox({ dealerId: next.id, cache, storage: storageOf(theirs) })
  await becomes(t, () => theirs.size, 0)
  stopNext()
  t.same([files.names.length, heard.map(({ key }) => key)], [1, ['two']])
  signedIn.as = me
  t.teardown(startPostOutbox({ dealerId: me.id, cache, storage: storageOf(rows) }))
  await becomes(t, () => rows.size, 0)
  t.same(heard.map(({ key, post }) => [key, post.photoUrls?.length]).at(-1), ['one', 2], 'it waited for its own photos')
})
