import sharp from 'sharp'
import { photoWidths } from '#shared/limits.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { openSessions, percentile, rounded } from './support/measure.ts'

export const name = 'Posting: photos through upload and job, a post of 50 vehicles'

const photos = 50
const parallel = 4
const posts = 20
const vehiclesPerPost = 50
const width = 2_048
const height = 1_536
const perSecond = 1_000

/** A picture as browsers send it: scaled to 2048 px, with realistic noise. */
async function aPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const small = await sharp({
    create: { width: width / 4, height: height / 4, channels: 3, background: '#888', noise },
  })
    .png()
    .toBuffer()
  return sharp(small).resize(width, height).jpeg({ quality: 85 }).toBuffer()
}

interface Caller {
  url: string
  headers: Record<string, string>
}

async function post<T>({ url, headers }: Caller, path: string, body: unknown): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

async function upload(caller: Caller, picture: Buffer): Promise<string> {
  const { uploadURL, objectId } = await post<{ uploadURL: string; objectId: string }>(caller, '/api/objects/upload', {
    kind: 'photo',
  })
  const sent = await fetch(uploadURL, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(picture),
  })
  if (!sent.ok) throw new Error(`the photo was refused: ${sent.status}`)
  return objectId
}

async function isReady({ url, headers }: Caller, objectId: string): Promise<boolean> {
  const response = await fetch(`${url}/api/objects/${objectId}/status`, { headers })
  return ((await response.json()) as { state: string }).state === 'ready'
}

async function uploadAll(caller: Caller, picture: Buffer): Promise<{ sent: number; ready: number }> {
  const start = performance.now()
  const ids: string[] = []
  let left = photos
  const sender = async () => {
    while (left > 0) {
      left -= 1
      ids.push(await upload(caller, picture))
    }
  }
  await Promise.all(Array.from({ length: parallel }, sender))
  const sent = performance.now() - start
  for (const id of ids) while (!(await isReady(caller, id))) await new Promise((resolve) => setTimeout(resolve, 20))
  return { sent: sent / perSecond, ready: (performance.now() - start) / perSecond }
}

/** Control: the same work with sharp alone, sequentially. */
async function bareSharp(picture: Buffer): Promise<number> {
  const start = performance.now()
  const rounds = 10
  for (let round = 0; round < rounds; round += 1)
    for (const wide of photoWidths) await sharp(picture).resize(wide).webp({ quality: 78, effort: 2 }).toBuffer()
  return rounds / ((performance.now() - start) / perSecond)
}

async function postTimes(caller: Caller): Promise<number[]> {
  const vehicles = Array.from({ length: vehiclesPerPost }, (_, index) => ({
    vin: `1FTFW1E5${index % 10}NKD${String(10_000 + index).padStart(5, '0')}`,
    year: 2021,
    make: 'Ford',
    model: 'F-150',
    mileage: 40_000 + index,
    price: 30_000,
    city: 'Tulsa',
    state: 'OK',
  }))
  const times: number[] = []
  for (let round = 0; round < posts; round += 1) {
    const start = performance.now()
    await post(caller, '/api/inventory', { title: `Fifty units ${round}`, type: 'multiple', vehicles })
    times.push(performance.now() - start)
  }
  return times
}

export async function run({ nodes: [url = ''], databaseUrl }: BenchEnv): Promise<BenchRow[]> {
  const [session] = await openSessions(databaseUrl, 1)
  const caller = { url, headers: { cookie: session?.cookie ?? '', 'content-type': 'application/json' } }
  const picture = await aPicture()
  const bare = await bareSharp(picture)
  const { sent, ready } = await uploadAll(caller, picture)
  const times = await postTimes(caller)
  const rate = photos / ready
  return [
    {
      figure: `${photos} photos of ${Math.round(picture.length / 1_024)} KB sent, ${parallel} at a time`,
      value: `${rounded(sent)} s`,
      goal: '',
    },
    { figure: 'and all in their sizes', value: `${rounded(ready)} s`, goal: '' },
    { figure: 'image job', value: `${rounded(rate)} images/s`, goal: '' },
    { figure: 'sharp alone, one after the other (control)', value: `${rounded(bare)} images/s`, goal: '' },
    {
      figure: `post of ${vehiclesPerPost} vehicles, p50`,
      value: `${rounded(percentile(times, 0.5))} ms`,
      goal: '≤ 150 ms',
    },
    { figure: `post of ${vehiclesPerPost} vehicles, p99`, value: `${rounded(percentile(times, 0.99))} ms`, goal: '' },
  ]
}
