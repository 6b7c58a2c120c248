import sharp from 'sharp'
import t from 'tap'
import { assertPictureFits } from '#client/lib/files/picture-limit.ts'
import { aGif } from '#tests/support/uploads.ts'

const small = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#777' } })
const fileOf = (content: Buffer) => new File([new Uint8Array(content)], 'picture')

/** Returns a JPEG file that claims a different size in its header. */
function jpegOf(content: Buffer, frame: number, [width, height]: readonly [number, number]): File {
  const at = content.indexOf(Buffer.of(0xff, frame))
  content.writeUInt16BE(height, at + 5)
  content.writeUInt16BE(width, at + 7)
  return fileOf(content)
}

t.test('refuses a picture with too many pixels before the upload', async (t) => {
  const jpeg = await small()
    .withExif({ IFD0: { Make: 'Phone' } })
    .jpeg()
    .toBuffer()
  const progressive = await small().jpeg({ progressive: true }).toBuffer()
  const png = await small().png().toBuffer()
  const fits = [
    fileOf(png),
    fileOf(jpeg),
    jpegOf(Buffer.from(jpeg), 0xc0, [9_000, 6_600]),
    jpegOf(Buffer.from(progressive), 0xc2, [5_000, 5_000]),
    fileOf(aGif(2)),
    fileOf(await small().webp().toBuffer()),
    fileOf(Buffer.from('%PDF-1.7')),
    fileOf(jpeg.subarray(0, 20)),
    fileOf(Buffer.of(0xff, 0xd8)),
  ]
  for (const [index, file] of fits.entries()) await t.resolves(assertPictureFits(file), String(index))
  png.writeUInt32BE(10_000, 16)
  png.writeUInt32BE(10_000, 20)
  const gif = aGif(2)
  gif.writeUInt16LE(6_000, 6)
  gif.writeUInt16LE(5_000, 8)
  const stray = Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0, 7), jpeg.subarray(2)])
  const tooLarge: [File, string][] = [
    [jpegOf(Buffer.from(jpeg), 0xc0, [16_000, 12_000]), 'This picture has 192 megapixels. The limit is 60'],
    [jpegOf(stray, 0xc0, [9_000, 6_700]), 'This picture has 61 megapixels. The limit is 60'],
    [jpegOf(Buffer.from(progressive), 0xc2, [6_000, 5_000]), 'This picture has 30 megapixels. The limit is 25'],
    [fileOf(png), 'This picture has 100 megapixels. The limit is 25'],
    [fileOf(gif), 'This picture has 30 megapixels. The limit is 25'],
  ]
  for (const [file, reason] of tooLarge) await t.rejects(assertPictureFits(file), { message: `413: ${reason}` })
})
