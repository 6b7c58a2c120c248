import { bodyShapes, type BodyShape, type BodyStyle } from './body-shapes.ts'

/** Light, middle and dark tone of one paint. */
export type Paint = readonly [light: string, middle: string, dark: string]

export const drawingWidth = 640
export const drawingHeight = 400

/** The vehicle alone on a transparent ground, standing where the scenery expects it. */
export function vehicleSvg(body: BodyStyle, paint: Paint): string {
  const shape = bodyShapes[body]
  return svg(
    `<defs>${gradients(paint)}<clipPath id="body"><path d="${shape.outline}"/></clipPath></defs>` +
      '<ellipse cx="322" cy="322" rx="310" ry="17" fill="url(#shadow)"/>' +
      lowerBody(shape) +
      upperBody(shape, paint) +
      shape.wheels.map(([x, y, radius]) => wheel(x, y, radius, shape.spokes)).join('') +
      `<path d="${shape.outline}" fill="none" stroke="#000" stroke-opacity=".22"/>`,
  )
}

export function svg(content: string): string {
  const box = `viewBox="0 0 ${drawingWidth} ${drawingHeight}" width="${drawingWidth}" height="${drawingHeight}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box}>${content}</svg>`
}

/** A gradient; each stop is its offset, colour and opacity. */
export function gradient(
  id: string,
  direction: string,
  stops: readonly (readonly [number, string, number?])[],
): string {
  const drawn = stops.map(
    ([offset, colour, opacity = 1]) => `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
  )
  return direction === 'radial'
    ? `<radialGradient id="${id}">${drawn.join('')}</radialGradient>`
    : `<linearGradient id="${id}" ${direction}>${drawn.join('')}</linearGradient>`
}

export const downwards = 'x1="0" y1="0" x2="0" y2="1"'
const acrossLine = 'x1="0" y1="0" x2="1" y2="0"'

function gradients([light, middle, dark]: Paint): string {
  return [
    gradient('paint', downwards, [
      [0, light],
      [0.38, middle],
      [0.58, middle],
      [0.8, dark],
      [1, dark],
    ]),
    gradient('glass', 'x1="0" y1="0" x2=".25" y2="1"', [
      [0, '#5b6a76'],
      [0.45, '#28323a'],
      [1, '#12181d'],
    ]),
    gradient('shine', acrossLine, [
      [0, '#fff', 0.12],
      [0.35, '#fff', 0.42],
      [0.7, '#fff', 0.26],
      [1, '#fff', 0.1],
    ]),
    gradient('rim', 'x1="0" y1="0" x2="1" y2="1"', [
      [0, '#eef2f5'],
      [1, '#8d969e'],
    ]),
    gradient('shadow', 'radial', [
      [0, '#000', 0.55],
      [0.7, '#000', 0.28],
      [1, '#000', 0],
    ]),
    gradient('ends', acrossLine, [
      [0, '#000', 0.28],
      [0.12, '#000', 0],
      [0.88, '#000', 0],
      [1, '#000', 0.3],
    ]),
  ].join('')
}

function lowerBody(shape: BodyShape): string {
  return (
    `<path d="${shape.outline}" fill="url(#paint)"/><g clip-path="url(#body)">` +
    `<path d="${shape.highlight}" fill="url(#shine)"/>` +
    '<rect x="40" y="262" width="560" height="40" fill="#000" opacity=".16"/>' +
    '<rect x="40" y="80" width="560" height="220" fill="url(#ends)"/>' +
    lines(shape.flares, '#15191d', 0.9, 7) +
    fills([shape.sill], '#101418', 0.82) +
    fills(shape.arches, '#0c0f12', 1) +
    fills(['M40 280L100 276L96 300L40 300Z', 'M540 278L600 274L600 300L540 300Z'], '#14181c', 0.5) +
    fills(shape.grille, '#0d1013', 1) +
    '</g>' +
    fills(shape.trim, '#0c1013', 0.6)
  )
}

function upperBody(shape: BodyShape, [light, middle, dark]: Paint): string {
  const windows = shape.windows.map((d) => `<path d="${d}" fill="url(#glass)" stroke="#0c1013" stroke-width="2.4"/>`)
  const handles = shape.handles.map(
    ([x, y]) =>
      `<rect x="${x}" y="${y}" width="22" height="5" rx="2.5" fill="${dark}"/>` +
      `<rect x="${x}" y="${y}" width="22" height="2" rx="1" fill="${light}" opacity=".8"/>`,
  )
  return (
    windows.join('') +
    lines(shape.seams, '#000', 0.34, 1.4) +
    lines(shape.creases, '#000', 0.16, 1.1) +
    `<path d="${shape.headlamp}" fill="#d3dee6" stroke="#20262c" stroke-width="1.6"/>` +
    `<path d="${shape.tailLamp}" fill="#a3161c" stroke="#3a0a0c" stroke-width="1.2"/>` +
    handles.join('') +
    `<path d="${shape.mirror}" fill="${middle}" stroke="#000" stroke-opacity=".4"/>`
  )
}

function wheel(x: number, y: number, radius: number, spokes: number): string {
  const wide = 22 / spokes
  const spoke = `M${-wide} ${-radius * 0.16}L${-wide * 0.7} ${-radius * 0.62}L${wide * 0.7} ${-radius * 0.62}L${wide} ${-radius * 0.16}Z`
  const drawn = Array.from(
    { length: spokes },
    (_, index) => `<path d="${spoke}" transform="rotate(${(360 / spokes) * index})" fill="url(#rim)"/>`,
  )
  return (
    `<g transform="translate(${x} ${y})"><circle r="${radius}" fill="#14171b"/>` +
    `<circle r="${radius - 1.5}" fill="none" stroke="#2c3238" stroke-width="1.5"/>` +
    `<circle r="${radius * 0.7}" fill="#3a4148"/><circle r="${radius * 0.68}" fill="#1b1f24"/>` +
    `<circle r="${radius * 0.42}" fill="#2b3036"/>${drawn.join('')}` +
    `<circle r="${radius * 0.66}" fill="none" stroke="url(#rim)" stroke-width="2.6"/>` +
    `<circle r="${radius * 0.17}" fill="#c7ced5"/><circle r="${radius * 0.09}" fill="#6d757d"/></g>`
  )
}

function fills(paths: readonly string[], colour: string, opacity: number): string {
  return paths.map((d) => `<path d="${d}" fill="${colour}" opacity="${opacity}"/>`).join('')
}

function lines(paths: readonly string[], colour: string, opacity: number, width: number): string {
  return paths
    .map((d) => `<path d="${d}" fill="none" stroke="${colour}" stroke-opacity="${opacity}" stroke-width="${width}"/>`)
    .join('')
}
