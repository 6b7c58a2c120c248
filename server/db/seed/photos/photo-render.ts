import sharp from 'sharp'
import { tintOf } from '#server/features/uploads/picture-sizes.ts'
import { paintGroups } from '../paints.ts'
import { damageSvg } from './damage-drawing.ts'
import { cabinSvg, odometerSvg } from './dash-drawing.ts'
import type { Drawing } from './photo-plan.ts'
import { yardCount } from './scenery-drawing.ts'
import { drawingHeight, drawingWidth, type Paint } from './svg.ts'
import { vehicleSvg } from './vehicle-drawing.ts'

interface RenderedPhoto {
  width: number
  content: Buffer
}

export interface Rendered {
  sizes: readonly RenderedPhoto[]
  height: number
  tint: string
}

const narrow = 320
/** In pixels. Front views are wider, because feed cards show them large. */
const widthOf = ({ shows }: Drawing): number => (shows === 'front' ? 800 : drawingWidth)
/** Renders an SVG directly at its final size. At a density of 72, one SVG unit is one pixel. */
const densityOf = (width: number) => (72 * width) / drawingWidth
const heightOf = (width: number) => Math.round((width * drawingHeight) / drawingWidth)
const webp = { quality: 74, effort: 0 } as const
const lanes = 4

export async function renderPhotos(
  drawings: ReadonlyMap<string, Drawing>,
  keep: (drawing: Drawing, rendered: Rendered) => Promise<void>,
): Promise<void> {
  const work = [...drawings.values()]
  const next = async (): Promise<void> => {
    for (let drawing = work.pop(); drawing; drawing = work.pop())
      await keep(drawing, await render(svgOf(drawing), widthOf(drawing)))
  }
  await Promise.all(Array.from({ length: lanes }, next))
}

function svgOf(drawing: Drawing): string {
  switch (drawing.kind) {
    case 'vehicle': {
      const { shape, paintIndex, view } = drawing
      // Choose the yard by the vehicle's look, not by its dealer, so that vehicles that look alike share a picture.
      return vehicleSvg(shape, paintOf(paintIndex), view, (shape.length + paintIndex) % yardCount)
    }
    case 'cabin':
      return cabinSvg(drawing.cabin)
    case 'odometer':
      return odometerSvg(drawing.miles)
    case 'damage':
      return damageSvg(drawing.damage, paintOf(drawing.paintIndex))
  }
}

function paintOf(index: number): Paint {
  const group = paintGroups[index]
  if (!group) throw new RangeError(`no paint ${index}`)
  return group.paint
}

async function render(svg: string, wanted: number): Promise<Rendered> {
  const { data, info } = await sharp(Buffer.from(svg), { density: densityOf(wanted) })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const drawn = () => sharp(data, { raw: { width, height, channels } })
  const sizes = [{ width, content: await drawn().webp(webp).toBuffer() }]
  // Flat colors compress well, so only the largest pictures need an additional, smaller size.
  if (width > drawingWidth)
    sizes.unshift({ width: narrow, content: await drawn().resize(narrow, heightOf(narrow)).webp(webp).toBuffer() })
  return { sizes, height, tint: await tintOf(drawn()) }
}
