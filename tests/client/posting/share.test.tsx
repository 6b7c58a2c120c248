import { becomes, show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { storedPostDraft } from '#client/features/posting/post-draft.ts'
import { emptyDraft } from '#client/features/posting/post-draft.ts'
import { ShareDialog } from '#client/features/posting/received-share/share-dialog.tsx'
import { withShare } from '#client/features/posting/received-share/draft-from-share.ts'
import type { SharedContent } from '#client/features/posting/received-share/shared-content.ts'
import { newVehicle } from '#client/features/posting/vehicle-draft.ts'
import { forgetTypedText } from '#client/lib/storage/drafts.ts'
import { VinReport } from '#shared/schemas/posting.ts'
import { press, says, textIn } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse } from '#tests/support/network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

const [vin, otherVin] = ['1FTFW1E59NKD69096', '1M8GDM9AXKP042788']
const place = { city: 'Dallas', state: 'TX' }
const me = aCurrentUser()
const form = `dialog.${me.id}`

const shared = (about: Partial<SharedContent> = {}): SharedContent => ({
  title: '',
  text: '',
  url: '',
  photos: [],
  left: { tooLarge: 0, tooMany: 0 },
  ...about,
})

const draftOf = (text: string, about: Partial<SharedContent> = {}) =>
  withShare(emptyDraft(newVehicle(place)), shared({ text, ...about }), place)

t.test('makes a draft: the first line is the title, the text the description', (t) => {
  const text = '\n2019 F-150 XLT, one owner\nClean title, two keys'
  const { title, description, type } = draftOf(text, { url: 'https://wa.me/1' })
  t.same(
    [title, description, type],
    ['2019 F-150 XLT, one owner', '2019 F-150 XLT, one owner\nClean title, two keys\nhttps://wa.me/1', 'single'],
  )
  t.equal(draftOf(`${'x'.repeat(199)}🚗`).title, 'x'.repeat(199), 'no half character')
  t.equal(draftOf('', { title: 'From the title' }).title, 'From the title')
  t.end()
})

for (const [text, mileage, price] of [
  [`${vin} 61k mi, asking $18,500`, '61000', '18500'],
  [`${vin} 61,240 miles $18.5k`, '61240', '18500'],
  [`${vin} 40 mi from Chicago, needs $400 of work`, '', ''],
  [`${vin} 61k mi or 71k mi, $18,500 or $19,000`, '', ''],
  [`${vin} 61000 18500`, '', ''],
  [`${vin} and ${otherVin} 61k mi $18,500`, '', ''],
] as const)
  t.test(`reads "${text}" as ${mileage || 'no'} miles and ${price || 'no'} price`, (t) => {
    const [vehicle] = draftOf(text).vehicles
    t.same([vehicle?.vin, vehicle?.mileage, vehicle?.price], [vin, mileage, price])
    t.end()
  })

t.test('makes a vehicle of each VIN with a valid check digit', (t) => {
  const { type, vehicles } = draftOf(`${vin}, ${otherVin}, ${vin}, 1FTFW1E50NKD69096`)
  t.same([type, vehicles.map((one) => one.vin)], ['multiple', [vin, otherVin]])
  t.match(vehicles, [place, place])
  t.end()
})

t.test('adds to a draft without changing what was typed', (t) => {
  const typed = { ...newVehicle({ ...place, vin: otherVin, price: 9_000 }) }
  const draft = { ...emptyDraft(typed), title: 'My title', description: 'My words' }
  const { title, description, type, vehicles } = withShare(draft, shared({ text: `From the lease ${vin}` }), place)
  t.same([title, description, type], ['My title', `My words\n\nFrom the lease ${vin}`, 'multiple'])
  t.same(
    vehicles.map((one) => [one.vin, one.price]),
    [
      [otherVin, '9000'],
      [vin, ''],
    ],
  )
  t.end()
})

/** Adds a cache with one share to jsdom, as the service worker stores it. */
function aSharedCache(t: Test, { photos, ...about }: SharedContent, at = Date.now()) {
  const entries = new Map<string, Response>(
    photos.map((photo, index) => [
      `/share/1/${index}`,
      new Response('bytes', { headers: { 'content-type': 'image/jpeg', 'x-name': photo.name } }),
    ]),
  )
  entries.set('/share/1', Response.json({ at, ...about, photos: photos.length }))
  const names = new Set(['lanewire-shared-1'])
  const cache = {
    match: async (path: string) => entries.get(path)?.clone(),
    keys: async () => [...entries.keys()].map((path) => ({ url: new URL(path, location.href).href })),
    delete: async ({ url }: { url: string }) => entries.delete(new URL(url).pathname),
  }
  const caches = {
    has: async (name: string) => names.has(name),
    open: async () => cache,
    delete: async (name: string) => names.delete(name),
  }
  for (const owner of [window, globalThis]) {
    Object.defineProperty(owner, 'caches', { configurable: true, value: caches })
    t.teardown(() => Reflect.deleteProperty(owner, 'caches'))
  }
  return { paths: () => [...entries.keys()], names }
}

function openShare(t: Test, id = '1') {
  let ready = 0
  let done = 0
  const dialog = <ShareDialog id={id} onReady={() => void (ready += 1)} onDone={() => void (done += 1)} />
  show(t, dialog, me)
  return { ready: () => ready, done: () => done }
}

t.test('opens the post form with the share, and deletes the share', async (t) => {
  const { paths } = aSharedCache(t, shared({ text: `Clean truck ${vin}` }))
  const { ready, done } = openShare(t)
  await becomes(t, () => [ready(), done(), paths().length], [1, 1, 0])
  t.match(storedPostDraft.read(form), { title: `Clean truck ${vin}`, vehicles: [{ vin }] })
})

for (const [button, title] of [
  ['Add to draft', 'Typed before'],
  ['Replace draft', 'Shared'],
] as const)
  t.test(`asks about a draft: ${button}`, async (t) => {
    aSharedCache(t, shared({ text: 'Shared' }))
    storedPostDraft.write({ ...emptyDraft(newVehicle(place)), title: 'Typed before' }, form)
    const { ready } = openShare(t)
    await says('You have a draft')
    t.equal(ready(), 0)
    await press(button)
    await becomes(t, ready, 1)
    t.equal(storedPostDraft.read(form)?.title, title)
  })

t.test('leaves the draft alone after Cancel', async (t) => {
  const { paths } = aSharedCache(t, shared({ text: 'Shared' }))
  storedPostDraft.write({ ...emptyDraft(newVehicle(place)), title: 'Typed before' }, form)
  const { ready, done } = openShare(t)
  await says('You have a draft')
  await press('Cancel')
  await becomes(t, () => [ready(), done(), paths().length], [0, 1, 0])
  t.match(storedPostDraft.read(form), { title: 'Typed before', description: '' })
})

for (const id of ['none', 'unknown'])
  t.test(`says what to do about the share ${id}`, async (t) => {
    aSharedCache(t, shared())
    const { ready, done } = openShare(t, id)
    await says('Open Lanewire once on this phone, then share again.')
    t.same([ready(), done()], [0, 1])
  })

t.test('does not open a share that is older than a day, and deletes it', async (t) => {
  const photos = [new File(['x'], 'front.jpg')]
  const { paths } = aSharedCache(t, shared({ text: 'Yesterday', photos }), Date.now() - 24.1 * 3_600_000)
  const { ready, done } = openShare(t)
  await says('Open Lanewire once on this phone, then share again.')
  t.same([ready(), done(), paths()], [0, 1, []])
})

t.test('deletes shares on sign-out', async (t) => {
  const { names } = aSharedCache(t, shared())
  forgetTypedText()
  await becomes(t, () => names.size, 0)
})

t.test(
  'decodes the VIN of a share as if it had been typed, uploads its photos and names what was left out',
  async (t) => {
    const known = { year: 2022, make: 'Ford', model: 'F-150', trim: 'Lariat', body: null, source: 'vpic' } as const
    const report = { vin, ...known, checkDigitHolds: true, expectedCheckDigit: '9', activePosts: [] }
    fakeNetwork(t).use(
      http.get(`*/api/vin/${vin}`, () => answer(VinReport, report)),
      http.post('*/api/objects/upload', () => new HttpResponse(null, { status: 503 })),
      http.post('*/api/demand', () => new HttpResponse(null, { status: 503 })),
    )
    aSharedCache(
      t,
      shared({
        text: `Truck ${vin} 61k mi`,
        photos: [new File(['x'], 'front.jpg')],
        left: { tooLarge: 4, tooMany: 0 },
      }),
    )
    const { ready } = openShare(t)
    await becomes(t, ready, 1)
    show(t, <PostDialog open onOpenChange={() => undefined} />, me)
    await says('4 photos were too large.')
    await becomes(t, () => textIn('Model'), 'F-150')
    t.same([textIn('Title'), textIn('Mileage')], [`Truck ${vin} 61k mi`, '61000'])
    await becomes(t, () => screen.getByText(/of 50$/).textContent, '1 of 50')
  },
)
