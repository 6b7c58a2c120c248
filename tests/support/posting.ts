import './dom.ts'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { ObjectStatus, UploadTicket } from '#shared/schemas/uploads.ts'
import { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import { VinReport } from '#shared/schemas/posting.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal, sent } from './network.ts'
import { aCurrentUser, aPostDetail } from './records.ts'

/** A VIN that encodes the year, make and model. */
export const vin = '1FTFW1E59NKD69096'

export function aVinReport(about: Partial<VinReport> = {}): VinReport {
  const nothing = { year: null, make: null, model: null, trim: null, body: null, source: 'none' } as const
  return { vin, ...nothing, checkDigitHolds: true, expectedCheckDigit: null, activePosts: [], ...about }
}

interface SentPost {
  post: NewPost
  key: string | null
}

/** Fakes a server. The first posts get `refusals`, later ones succeed. Uploads wait for `hold`. Files of the type `broken` are rejected. */
export function postingNetwork(t: Test, ...refusals: (() => Response)[]) {
  const network = fakeNetwork(t)
  const heard: SentPost[] = []
  const files: { names: string[]; hold: Promise<void> | undefined; broken: string | undefined } = {
    names: [],
    hold: undefined,
    broken: undefined,
  }
  network.use(
    http.get('*/api/vin/:vin', () => answer(VinReport, aVinReport())),
    http.post('*/api/inventory', async ({ request }) => {
      heard.push({ post: await sent(NewPost, request), key: request.headers.get('idempotency-key') })
      return refusals.shift()?.() ?? answer(PostDetail, aPostDetail())
    }),
    http.post('*/api/objects/upload', () => {
      const objectId = randomUUID()
      return answer(UploadTicket, { objectId, uploadURL: `http://localhost/api/objects/${objectId}?ticket=1` })
    }),
    http.put('*/api/objects/:id', async ({ request }) => {
      const type = request.headers.get('content-type') ?? ''
      files.names.push(type)
      await files.hold
      return type === files.broken ? refusal(415, 'This is no picture') : new HttpResponse(null, { status: 204 })
    }),
    http.get('*/api/objects/:id/status', ({ params }) => {
      const id = String(params['id'])
      const size = { width: 640, height: 400 }
      return answer(ObjectStatus, { id, state: 'ready', url: `/api/objects/${id}`, ...size, error: null })
    }),
  )
  t.teardown(() => localStorage.clear())
  return { network, heard, files }
}

export const aPicture = (name: string, type = 'image/jpeg') => new File(['bytes'], name, { type })
export const addFiles = (label: string, ...files: File[]) =>
  void fireEvent.change(screen.getByLabelText(label), { target: { files } })

export const me = aCurrentUser({ city: 'Dallas', state: 'TX' })

/** Fakes the browser's barcode detector and the decoding of photos, which jsdom lacks. */
export function fakePhotoReader(t: Test, BarcodeDetector: unknown): void {
  const createImageBitmap = async () => ({ width: 640, height: 400, close: () => undefined })
  for (const [name, value] of Object.entries({ BarcodeDetector, createImageBitmap }))
    t.intercept(globalThis, name as keyof typeof globalThis, { value })
  t.intercept(HTMLCanvasElement.prototype, 'getContext', { value: () => null })
}
