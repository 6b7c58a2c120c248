import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { paintGroups } from '../paints.ts'
import { bodyStyles, type BodyStyle } from './body-shapes.ts'
import { dashSvg } from './dash-drawing.ts'
import type { Angle, Drawing } from './photo-plan.ts'
import { scenerySvg, yardCount } from './scenery-drawing.ts'
import { drawingHeight, drawingWidth, vehicleSvg } from './vehicle-drawing.ts'

/** One finished size of a picture. */
export interface RenderedPhoto {
  width: number
  content: Buffer
}

/** Drawn at twice the drawing's size, so that a crop of half the picture still fills a card. */
const scale = 2
const density = 72 * scale
const thumbWidth = 320
const sideWidth = 960
const webp = { quality: 74, effort: 0 } as const
const lanes = 4

/** What each angle shows of the whole picture: left and top corner and width, in drawing units; height follows. */
const crops: Record<Exclude<Angle, 'side'>, readonly [left: number, top: number, width: number]> = {
  front: [20, 132, 300],
  rear: [330, 132, 300],
  wheel: [60, 205, 180],
}

interface Raw {
  data: Buffer
  info: OutputInfo
}

/** Draws every picture once and hands each to `keep` with its key. Several are in the works at a time. */
export async function renderPhotos(
  drawings: ReadonlyMap<string, Drawing>,
  keep: (key: string, sizes: RenderedPhoto[], height: number) => Promise<void>,
): Promise<void> {
  const yards = await Promise.all(Array.from({ length: yardCount }, (_, yard) => toRaw(scenerySvg(yard))))
  const groups = groupByVehicle(drawings)
  const work = groups.map((group) => async () => {
    const [first] = group
    if (!first) return
    if (first.kind === 'dash') {
      const sizes = await encode(sharp(Buffer.from(dashSvg(first.miles)), { density }), sideWidth)
      return keep(first.key, sizes, heightOf(sideWidth))
    }
    const base = await paintVehicle(yards, first.body, first.paintIndex)
    for (const drawing of group) {
      if (drawing.kind === 'dash') continue
      const width = drawing.angle === 'side' ? sideWidth : Math.round(crops[drawing.angle][2] * scale)
      await keep(drawing.key, await encode(crop(base, drawing.angle), width), heightOf(width))
    }
  })
  const next = async (): Promise<void> => {
    for (let job = work.pop(); job; job = work.pop()) await job()
  }
  await Promise.all(Array.from({ length: lanes }, next))
}

const heightOf = (width: number) => Math.round((width * drawingHeight) / drawingWidth)

/** The angles of one vehicle share its picture. */
function groupByVehicle(drawings: ReadonlyMap<string, Drawing>): Drawing[][] {
  const groups = new Map<string, Drawing[]>()
  for (const drawing of drawings.values()) {
    const name = drawing.kind === 'dash' ? drawing.key : `${drawing.body}-${drawing.paintIndex}`
    groups.set(name, [...(groups.get(name) ?? []), drawing])
  }
  return [...groups.values()]
}

async function paintVehicle(yards: readonly Raw[], body: BodyStyle, paintIndex: number): Promise<Raw> {
  const group = paintGroups[paintIndex]
  const yard = yards[(bodyStyles.indexOf(body) + paintIndex) % yards.length]
  if (!group || !yard) throw new RangeError(`no paint ${paintIndex}`)
  const { width, height, channels } = yard.info
  const vehicle = await sharp(Buffer.from(vehicleSvg(body, group.paint)), { density })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp(yard.data, { raw: { width, height, channels } })
    .composite([{ input: vehicle }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function crop({ data, info }: Raw, angle: Angle): Sharp {
  const image = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  if (angle === 'side') return image
  const [left, top, width] = crops[angle]
  return image.extract({
    left: left * scale,
    top: top * scale,
    width: width * scale,
    height: Math.round((width * scale * drawingHeight) / drawingWidth),
  })
}

async function encode(image: Sharp, width: number): Promise<RenderedPhoto[]> {
  const size = async (wanted: number) => ({
    width: wanted,
    content: await image.clone().resize(wanted, heightOf(wanted)).webp(webp).toBuffer(),
  })
  return width > thumbWidth ? [await size(thumbWidth), await size(width)] : [await size(width)]
}

async function toRaw(svg: string): Promise<Raw> {
  return sharp(Buffer.from(svg), { density }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
}
