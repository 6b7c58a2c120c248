import sharp from 'sharp'
import t from 'tap'
import { repairJpeg } from '#server/features/uploads/jpeg-repair.ts'
import { readPicture } from '#server/features/uploads/picture-sizes.ts'

/** Returns a picture with so much detail that every row takes many bytes. */
function aDetailed(width = 800, height = 600) {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7_919 + ((at * at) % 251)) % 256
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const jpeg = await aDetailed().jpeg().toBuffer()
const progressive = await aDetailed().jpeg({ progressive: true }).toBuffer()
const png = await aDetailed().png().toBuffer()
const webp = await aDetailed().webp().toBuffer()
const scanAt = jpeg.indexOf(Buffer.of(0xff, 0xda))
const end = Buffer.of(0xff, 0xd9)

function withScanParameters(first: number, last: number, approximation: number): Buffer {
  const changed = Buffer.from(jpeg)
  changed.set([first, last, approximation], scanAt + 2 + changed.readUInt16BE(scanAt + 2) - 3)
  return changed
}

const withStrayBytes = (at: number) => Buffer.concat([jpeg.subarray(0, at), Buffer.of(0, 0, 7, 1), jpeg.subarray(at)])
const without = (content: Buffer, bytes: number) => content.subarray(0, content.length - bytes)
const half = (content: Buffer) => content.subarray(0, content.length / 2)

const widthOf = async (content: Buffer, square = false) => (await readPicture(content, { square })).width

t.test('reads pictures with faults that every browser ignores', async (t) => {
  const pictures: Record<string, Buffer> = {
    'scan parameters of a Samsung camera': withScanParameters(0, 0, 0),
    'other scan parameters': withScanParameters(1, 5, 0x11),
    'stray bytes before the scan': withStrayBytes(scanAt),
    'stray bytes behind the first segment': withStrayBytes(4 + jpeg.readUInt16BE(4)),
    'stray bytes before the end': Buffer.concat([without(jpeg, 2), Buffer.of(0, 0, 1, 2), end]),
    'no end marker': without(jpeg, 2),
    'half of the end marker': without(jpeg, 1),
    'a progressive JPEG without an end marker': without(progressive, 2),
    'scan parameters and no end marker': without(withScanParameters(0, 0, 0), 2),
    'markers without a length': Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.of(0xff, 0x01, 0xff, 0xd0),
      jpeg.subarray(2),
    ]),
    'data behind the end marker': Buffer.concat([jpeg, Buffer.alloc(5_000, 65)]),
    'a PNG without its last chunk': without(png, 12),
    'data behind a PNG': Buffer.concat([png, Buffer.alloc(100)]),
  }
  for (const [name, content] of Object.entries(pictures)) {
    t.equal(await widthOf(content), 800, name)
    t.equal(await widthOf(content, true), 320, `${name}, as an avatar`)
  }
})

t.test('does not repair a picture with more segments than a camera writes', (t) => {
  const segments = Buffer.alloc(4 * 100_000, Buffer.of(0xff, 0xe5, 0, 2))
  const crafted = Buffer.concat([jpeg.subarray(0, 2), segments, jpeg.subarray(2)])
  t.equal(repairJpeg(crafted), crafted)
  t.end()
})

t.test('refuses a picture of which a part is missing', async (t) => {
  const pictures: Record<string, Buffer> = {
    'half a JPEG': half(jpeg),
    'half a JPEG with an end marker': Buffer.concat([half(jpeg), end]),
    'half a JPEG of a Samsung camera': half(withScanParameters(0, 0, 0)),
    'half a JPEG with stray bytes': half(withStrayBytes(scanAt)),
    'nine tenths of a JPEG': jpeg.subarray(0, jpeg.length * 0.9),
    'half a progressive JPEG': half(progressive),
    'half a PNG': half(png),
    'half a WebP': half(webp),
    'the header of a JPEG': jpeg.subarray(0, scanAt),
    'the first bytes of a JPEG': jpeg.subarray(0, 5),
  }
  for (const [name, content] of Object.entries(pictures)) {
    await t.rejects(readPicture(content, { square: false }), { message: 'This picture could not be read' }, name)
    await t.rejects(
      readPicture(content, { square: true }),
      { message: 'This picture could not be read' },
      `${name}, as an avatar`,
    )
  }
})

/** Returns a JPEG that claims this size in the header of the given frame marker. */
function claiming(content: Buffer, frame: number, { width, height }: { width: number; height: number }): Buffer {
  const changed = Buffer.from(content)
  const at = changed.indexOf(Buffer.of(0xff, frame))
  changed.writeUInt16BE(height, at + 5)
  changed.writeUInt16BE(width, at + 7)
  return changed
}

t.test('reads a JPEG of up to 60 megapixels, and states the limit of each type', async (t) => {
  const large = sharp({ create: { width: 9_000, height: 6_600, channels: 3, background: '#777' } })
  t.equal(await widthOf(await large.withMetadata({ orientation: 6 }).jpeg({ quality: 20 }).toBuffer()), 2_048)
  const tooLarge: [Buffer, RegExp][] = [
    [claiming(jpeg, 0xc0, { width: 9_000, height: 6_700 }), /61 megapixels. The limit is 60/],
    [claiming(progressive, 0xc2, { width: 6_000, height: 4_200 }), /26 megapixels. The limit is 25/],
  ]
  for (const [content, message] of tooLarge) await t.rejects(readPicture(content, { square: false }), { message })
})
