import { show } from '#tests/support/screen.tsx'
import { fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { uploadLive } from '#client/lib/files/upload.live.ts'
import { Picture } from '#client/ui/picture.tsx'
import { ObjectStatus } from '#shared/schemas/uploads.ts'
import { answer, fakeNetwork, http, refusal } from '#tests/support/network.ts'

const objectId = '01990000-0000-7000-8000-000000000000'
const url = `/api/objects/${objectId}`
const status = (state: ObjectStatus['state'], error: string | null = null): ObjectStatus => ({
  id: objectId,
  url,
  width: null,
  height: null,
  state,
  error,
})

/** Renders the same picture twice, as a card and a gallery do. */
function openPictures(t: Test) {
  const network = fakeNetwork(t)
  const asked: string[] = []
  const says = (respond: () => Response) =>
    network.use(
      http.get('*/api/objects/:id/status', ({ params }) => {
        asked.push(String(params['id']))
        return respond()
      }),
    )
  const screen = show(
    t,
    <>
      <Picture src={url} alt="Tahoe" className="h-32" />
      <Picture src={`${url}?w=320`} alt="Tahoe, small" className="h-8" href={url} />
    </>,
  )
  const images = () => [...screen.container.querySelectorAll('img')].map((image) => image.alt)
  const failAll = () => {
    for (const image of screen.container.querySelectorAll('img')) fireEvent.error(image)
  }
  const bothShown = () =>
    waitFor(() => {
      if (images().length < 2) throw new Error('not shown yet')
    })
  return { ...screen, says, asked, images, failAll, bothShown }
}

t.test('lets the browser choose the size of our pictures and shows their color until they load', (t) => {
  fakeNetwork(t)
  const { getByAltText } = show(
    t,
    <>
      <Picture src={url} alt="first" eager="first" sizes="100vw" tint="#5f6972" className="h-32" />
      <Picture src={url} alt="later" sizes="100vw" className="h-32" />
      <Picture src="blob:here" alt="not sent yet" eager sizes="100vw" className="h-32" />
    </>,
  )
  const said = (alt: string) =>
    ['srcset', 'loading', 'fetchpriority', 'style'].map((name) => getByAltText(alt).getAttribute(name))
  const sizes = `${url}?w=320 320w, ${url}?w=960 960w, ${url}?w=2048 2048w`
  t.same(said('first'), [sizes, 'eager', 'high', 'background-color: rgb(95, 105, 114);'])
  t.same(said('later'), [sizes, 'lazy', null, null])
  t.same(said('not sent yet'), [null, 'eager', null, null])
  t.end()
})

t.test('marks a picture as being processed and shows it on the event', async (t) => {
  const { says, failAll, images, bothShown, findByRole, queryByRole, cache, getByRole } = openPictures(t)
  t.ok(getByRole('link'), 'it opens when pressed')
  says(() => answer(ObjectStatus, status('stored')))
  failAll()
  t.ok(await findByRole('img', { name: 'Tahoe: processing' }))
  t.ok(await findByRole('img', { name: 'Tahoe, small: processing' }))
  t.same([images(), queryByRole('link')], [[], null], 'there is nothing to open yet')
  says(() => answer(ObjectStatus, status('ready')))
  uploadLive['object.changed'](cache, { objectId: 'another', state: 'ready', error: null })
  t.same(images(), [])
  uploadLive['object.changed'](cache, { objectId, state: 'ready', error: null })
  await bothShown()
})

t.test('polls for a picture without a socket', async (t) => {
  const { says, failAll, bothShown, findByRole } = openPictures(t)
  const states: ObjectStatus['state'][] = ['stored', 'stored']
  says(() => answer(ObjectStatus, status(states.shift() ?? 'ready')))
  failAll()
  t.ok(await findByRole('img', { name: 'Tahoe: processing' }))
  await bothShown()
})

t.test('shows the owner why a picture failed and marks a deleted one', async (t) => {
  const first = openPictures(t)
  const reason = 'This picture has 100 megapixels. The limit is 25'
  first.says(() => answer(ObjectStatus, status('failed', reason)))
  first.failAll()
  t.ok(await first.findByRole('img', { name: `Tahoe: ${reason}` }))
  first.unmount()

  const others = openPictures(t)
  others.says(() => answer(ObjectStatus, status('failed')))
  others.failAll()
  t.ok(await others.findByRole('img', { name: 'Tahoe: This picture could not be used' }))
  others.unmount()

  const gone = openPictures(t)
  gone.says(() => refusal(404, 'This file was not found'))
  gone.failAll()
  t.ok(await gone.findByRole('img', { name: 'Tahoe: No longer available' }))
})

t.test('reloads a picture that failed to load once the server answers', async (t) => {
  const { says, failAll, images, bothShown, asked, findByRole } = openPictures(t)
  says(() => refusal(503, 'The database is away'))
  failAll()
  t.ok(await findByRole('img', { name: 'Tahoe' }))
  await waitFor(() => {
    if (asked.length === 0) throw new Error('not asked yet')
  })
  t.same(images(), [])
  says(() => answer(ObjectStatus, status('ready')))
  await bothShown()
})
