import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { PhotoGallery, photoGroups } from '#client/features/posts/photos/photo-gallery.tsx'
import { PostCard } from '#client/features/posts/card/post-card.tsx'
import { cardPhotos } from '#client/features/posts/posts.rules.ts'
import { SinglePost } from '#client/features/posts/single-post.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { OwnReactions, PostDetail, type PhotoInfo } from '#shared/schemas/posts.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser, aFeedPost, aPostDetail, aShownVehicle } from '#tests/support/records.ts'

const names = ['2021 Ford F-150', '2020 Kia Rio', '2009 Toyota Camry']
const info = (vehicle: number | null, shows: PhotoInfo['shows'] = null): PhotoInfo => ({
  tint: '#8a9097',
  shows,
  vehicle,
  name: vehicle === null ? '' : (names[vehicle] ?? ''),
})

t.test("shows the post's own photos first, then each vehicle's under its name", async (t) => {
  const groups = photoGroups({
    title: 'Two clean ones',
    photoUrls: ['/own', '/truck', '/dash', '/camry'],
    photoInfo: [info(null), info(0, 'side'), info(0, 'dash'), info(2)],
    vehicles: [
      aShownVehicle({ id: '1', year: 2021, make: 'Ford', model: 'F-150', photos: ['/truck', '/dash'] }),
      aShownVehicle({ id: '2', year: 2020, make: 'Kia', model: 'Rio', photos: [] }),
      aShownVehicle({ id: '3', year: 2009, make: 'Toyota', model: 'Camry', photos: ['/camry'] }),
    ],
  })
  show(t, <PhotoGallery groups={groups} title="Two clean ones" />)
  const large = () => screen.getAllByRole('img').map((image) => image.getAttribute('alt'))[0]
  t.same(
    screen.getAllByRole('heading').map(({ textContent }) => textContent),
    ['2021 Ford F-150', '2009 Toyota Camry'],
  )
  t.equal(large(), 'Two clean ones, 1 of 4')
  const camry = within(screen.getByRole('list', { name: '2009 Toyota Camry' }))
  fireEvent.click(camry.getByRole('button', { name: 'Show photo 4' }))
  await becomes(t, large, '2009 Toyota Camry, 4 of 4')
  fireEvent.click(screen.getByRole('button', { name: 'Next photo' }))
  await becomes(t, large, 'Two clean ones, 1 of 4')
  const gallery = screen.getByRole('region', { name: 'Photos' })
  fireEvent.keyDown(gallery, { key: 'End' })
  await becomes(t, large, '2009 Toyota Camry, 4 of 4')
  fireEvent.keyDown(gallery, { key: 'Home' })
  fireEvent.keyDown(gallery, { key: 'ArrowRight' })
  await becomes(t, large, '2021 Ford F-150, side view, 2 of 4')
})

t.test('opens a photo full-screen, zooms by keys, buttons and double click, and closes on Escape', async (t) => {
  const groups = [{ subject: undefined, photos: ['/a', '/b'].map((src) => ({ src, label: src, tint: null })) }]
  show(t, <PhotoGallery groups={groups} title="A clean one" />)
  fireEvent.click(screen.getByRole('button', { name: 'Enlarge photo' }))
  const dialog = await screen.findByRole('dialog', { name: 'A clean one' })
  const inside = within(dialog)
  const shown = () => inside.getByRole<HTMLImageElement>('img')
  const zoom = () => dialog.querySelector('output')?.textContent
  t.same([shown().alt, zoom()], ['/a, 1 of 2', '100%'])
  fireEvent.keyDown(dialog, { key: '+' })
  fireEvent.click(inside.getByRole('button', { name: 'Zoom in' }))
  await becomes(t, zoom, '225%')
  fireEvent.keyDown(dialog, { key: '-' })
  await becomes(t, zoom, '150%')
  fireEvent.keyDown(dialog, { key: '0' })
  await becomes(t, zoom, '100%')
  t.ok(inside.getByRole('button', { name: 'Zoom out' }).hasAttribute('disabled'), 'already complete')
  fireEvent.doubleClick(shown())
  await becomes(t, zoom, '250%')
  fireEvent.wheel(shown(), { deltaY: 5_000 })
  await becomes(t, zoom, '100%')
  fireEvent.keyDown(dialog, { key: '+' })
  fireEvent.keyDown(dialog, { key: 'ArrowLeft' })
  await becomes(t, () => [shown().alt, zoom()], ['/b, 2 of 2', '100%'])
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => t.equal(screen.queryByRole('dialog'), null))
  t.equal(screen.getAllByRole<HTMLImageElement>('img')[0]?.alt, '/b, 2 of 2', 'it continues at the same photo')
})

t.test("shows on a card the post's own photos, then one per vehicle before a second", (t) => {
  const post = {
    title: 'Two clean ones',
    photoUrls: ['/own', '/truck', '/bed', '/camry', '/boot'],
    photoInfo: [info(null), info(0, 'front'), info(0, 'rear'), info(2, 'damage'), info(2)],
  }
  t.same(
    cardPhotos(post).map(({ src, label }) => [src, label]),
    [
      ['/own', 'Two clean ones'],
      ['/truck', '2021 Ford F-150, front three-quarter view'],
      ['/camry', '2009 Toyota Camry, close-up of the damage'],
      ['/bed', '2021 Ford F-150, rear three-quarter view'],
      ['/boot', '2009 Toyota Camry'],
    ],
  )
  const { photoUrls, title } = post
  t.same(
    cardPhotos({ photoUrls, title }).map(({ src }) => src),
    photoUrls,
    'as a server of the previous version answers',
  )
  t.end()
})

t.test('shows cents only if there are any', async (t) => {
  t.same(
    [24_500, 24_500.5, 0.1 + 0.2, 99.999, 500.000_000_01].map((dollars) => formatMoney(dollars)),
    ['$24,500', '$24,500.50', '$0.30', '$100', '$500'],
  )
  t.equal(formatMoney(149, 'exact'), '$149.00')
})

t.test('leads a card with a large photo, preloaded on the first card, and counts the rest', (t) => {
  const photoUrls = Array.from({ length: 8 }, (_, n) => `/api/objects/${n}`)
  fakeNetwork(t).use(http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })))
  const post = aFeedPost({ photoUrls })
  const { getAllByRole, getAllByText } = show(
    t,
    <>
      <PostCard post={post} eager />
      <PostCard post={post} />
    </>,
  )
  const photos = getAllByRole('img')
  const numbered = [1, 2, 3, 4, 5].map((n) => `2021 Honda CR-V EX, photo ${n}`)
  t.same(
    photos.map((image) => image.getAttribute('alt')),
    [...numbered, ...numbered],
  )
  const told = (name: string) => photos.map((image) => image.getAttribute(name))
  t.same(told('loading'), ['eager', ...Array.from({ length: 9 }, () => 'lazy')])
  t.same(told('fetchpriority').filter(Boolean), ['high'])
  t.equal(getAllByText('+3').length, 2)
  t.end()
})

t.test('shows the photos first on the page of a post on a phone, and after the text elsewhere', async (t) => {
  const { matchMedia } = window
  t.teardown(() => void Object.assign(window, { matchMedia }))
  const post = aPostDetail({ title: 'A clean one', photoUrls: ['/own'], photoInfo: [info(null)], vehicles: [] })
  fakeNetwork(t).use(
    http.get(`*/api/inventory/${post.id}`, () => answer(PostDetail, post)),
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
  )
  for (const phone of [true, false]) {
    Object.assign(window, { matchMedia: (query: string) => ({ ...matchMedia(query), matches: phone }) })
    const { unmount } = show(t, <SinglePost postId={post.id} />, aCurrentUser())
    const title = await screen.findByRole('heading', { name: 'A clean one' })
    const place = title.compareDocumentPosition(screen.getByRole('region', { name: 'Photos' }))
    t.equal((place & Node.DOCUMENT_POSITION_PRECEDING) > 0, phone)
    unmount()
  }
})
