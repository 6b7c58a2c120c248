import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import type { ObjectStatus, UploadRequest, UploadTicket } from '#shared/schemas/uploads.ts'
import type { OwnProfile } from '#shared/schemas/dealers.ts'
import type { Caller, TestApp } from './app.ts'
import { until } from './wait.ts'

/** A JPEG like a phone's: its metadata contains a rotation and a location. */
export async function aPhoto(width = 2400, height = 1200): Promise<Buffer> {
  const gray = { r: 90, g: 110, b: 130 }
  return sharp({ create: { width, height, channels: 3, background: gray } })
    .withExif({ IFD0: { Make: 'Phone', Orientation: '6' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '36/1 9/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

/** Returns a data URL of the VIN as a Code 39 barcode, as printed on door labels. */
export async function aBarcode(vin: string): Promise<string> {
  const program = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
  const { buffer } = new Uint8Array(await readFile(program))
  prepareZXingModule({ overrides: { wasmBinary: buffer } })
  const { image, error } = await writeBarcode(vin, { format: 'Code39', scale: 3 })
  if (!image) throw new Error(error)
  const framed = sharp(Buffer.from(await image.arrayBuffer())).extend({
    top: 40,
    bottom: 40,
    left: 60,
    right: 60,
    background: '#fff',
  })
  return `data:image/png;base64,${(await framed.png().toBuffer()).toString('base64')}`
}

/** Returns an animated GIF of 8 by 8 pixels. */
export function aGif(frames: number): Buffer {
  const head = Buffer.from('GIF89a\u0008\0\u0008\0\u0080\0\0\0\0\0\u00ff\u00ff\u00ff', 'latin1')
  const canvas = Buffer.from(
    '\u002c\0\0\0\0\u0008\0\u0008\0\0\u0002\u0007\u0084\u008f\u00a9\u00cb\u00ed\u000f\u0063\0',
    'latin1',
  )
  const frame = Buffer.from('\u002c\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002\u0044\u0001\0', 'latin1')
  return Buffer.concat([head, canvas, ...Array.from({ length: frames - 1 }, () => frame), Buffer.from(';')])
}

export async function allowUpload(caller: Caller, request?: UploadRequest): Promise<UploadTicket> {
  const { status, body } = await caller.post<UploadTicket>('/api/objects/upload', request ?? undefined)
  if (status !== 200) throw new Error(`the upload was refused: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Uploads the file's content. Sends no cookie, because the URL itself grants access. */
export async function putFile(
  uploadURL: string,
  content: Buffer | ReadableStream,
  contentType = 'image/jpeg',
): Promise<Response> {
  const body = Buffer.isBuffer(content) ? new Uint8Array(content) : content
  // Streams require `duplex`, but the browser types do not include it.
  const whole: object = { duplex: 'half' }
  return fetch(uploadURL, { method: 'PUT', headers: { 'content-type': contentType }, body, ...whole })
}

export async function upload(caller: Caller, content: Buffer, contentType = 'image/jpeg'): Promise<string> {
  const { uploadURL, objectId } = await allowUpload(caller)
  const response = await putFile(uploadURL, content, contentType)
  if (!response.ok) throw new Error(`the file was refused: ${response.status} ${await response.text()}`)
  await settled(caller, objectId)
  return uploadURL.split('?')[0] ?? uploadURL
}

export function settled(caller: Caller, objectId: string): Promise<ObjectStatus> {
  return until(`the upload ${objectId} to be worked on`, async () => {
    const { body } = await caller.get<ObjectStatus>(`/api/objects/${objectId}/status`)
    return body.state === 'ready' || body.state === 'failed' ? body : undefined
  })
}

export async function postAvatar({ url }: TestApp, { cookie }: Caller, content: Buffer, name = 'me.png') {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const response = await fetch(`${url}/api/profile/avatar`, { method: 'POST', headers: { cookie }, body: form })
  return { status: response.status, body: (await response.json()) as { avatar: string } }
}

export async function sendAvatar(app: TestApp, caller: Caller, content: Buffer): Promise<string> {
  const { body } = await postAvatar(app, caller, content)
  return until('the new avatar', async () => {
    const { avatar } = (await caller.get<OwnProfile>('/api/profile')).body
    return avatar === body.avatar ? avatar : undefined
  })
}

export async function loadPicture(app: TestApp, caller: Caller, path: string) {
  const response = await fetch(app.url + path, { headers: { cookie: caller.cookie } })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
