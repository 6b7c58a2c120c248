import { becomes, show } from '#tests/support/screen.tsx'
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { VinReport } from '#shared/schemas/posting.ts'
import { dialogOpen, fill, press, says, textIn } from '#tests/support/controls.ts'
import { answer, http } from '#tests/support/network.ts'
import { addFiles, aPicture, aVinReport, fakePhotoReader, me, postingNetwork, vin } from '#tests/support/posting.ts'

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
