import type { Dot } from './camera.ts'

export type Paint = readonly [light: string, middle: string, dark: string]

export const drawingWidth = 640
export const drawingHeight = 400

export function svg(content: string): string {
  const box = `viewBox="0 0 ${drawingWidth} ${drawingHeight}" width="${drawingWidth}" height="${drawingHeight}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box}>${content}</svg>`
}

export const downwards = 'x1="0" y1="0" x2="0" y2="1"'

export function gradient(
  id: string,
  direction: string,
  stops: readonly (readonly [number, string, number?])[],
): string {
  const drawn = stops.map(
    ([offset, color, opacity = 1]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`,
  )
  return direction === 'radial'
    ? `<radialGradient id="${id}">${drawn.join('')}</radialGradient>`
    : `<linearGradient id="${id}" ${direction}>${drawn.join('')}</linearGradient>`
}

const rounded = (value: number) => Math.round(value * 10) / 10

const through = (dots: readonly Dot[]): string => `M${dots.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join('L')}`

export function area(dots: readonly Dot[], fill: string, opacity = 1, stroke = '', width = 0): string {
  if (dots.length < 3) return ''
  const edge = stroke === '' ? '' : ` stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round"`
  // Use `fill-opacity`, because `opacity` makes the renderer allocate a layer of the picture's size.
  const clear = opacity === 1 ? '' : ` fill-opacity="${opacity}"`
  return `<path d="${through(dots)}Z" fill="${fill}"${clear}${edge}/>`
}

/** Draws many areas as one path, which is faster than one path each and leaves no gaps between neighbors. */
export const areas = (list: readonly (readonly Dot[])[], fill: string): string =>
  `<path d="${list.map((dots) => `${through(dots)}Z`).join('')}" fill="${fill}"/>`

export function line(dots: readonly Dot[], color: string, opacity: number, width: number): string {
  if (dots.length < 2) return ''
  return `<path d="${through(dots)}" fill="none" stroke="${color}" stroke-opacity="${opacity}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
}

const channels = (color: string) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

function blend(from: string, to: string, share: number): string {
  const [start, end] = [channels(from), channels(to)]
  const mixed = start.map((value, index) => Math.round(value + ((end[index] ?? value) - value) * share))
  return `#${Buffer.from(mixed).toString('hex')}`
}

const percent = 100

/** Returns a placeholder that {@link painted} replaces with the paint's color at this brightness, from 0 to 1. */
export const tone = (lit: number): string => `paint${Math.round(lit * percent)}`

/** Replaces the placeholders with the colors of one paint, so that each shape is drawn only once for all paints. */
export function painted(drawing: string, [light, middle, dark]: Paint): string {
  const tones = new Map<string, string>()
  return drawing.replace(/paint(\d+)/g, (_, lit: string) => {
    const known = tones.get(lit)
    if (known !== undefined) return known
    const share = (Number(lit) / percent) * 2
    const made = share < 1 ? blend(dark, middle, share) : blend(middle, light, share - 1)
    tones.set(lit, made)
    return made
  })
}

/** Returns the convex hull of the points (Andrew's monotone chain). */
export function hull(dots: readonly Dot[]): Dot[] {
  const sorted = dots.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const turn = (a: Dot, b: Dot, c: Dot) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
  const half = (list: readonly Dot[]) => {
    const kept: Dot[] = []
    for (const dot of list) {
      for (let [a, b] = kept.slice(-2); a && b && turn(a, b, dot) <= 0; [a, b] = kept.slice(-2)) kept.pop()
      kept.push(dot)
    }
    return kept
  }
  return [...half(sorted).slice(0, -1), ...half(sorted.toReversed()).slice(0, -1)]
}
