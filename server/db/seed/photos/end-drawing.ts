import type { Sketch } from './body-mesh.ts'
import { mix, type Dot, type Place } from './camera.ts'
import { area, line } from './svg.ts'

type At = (v: number, z: number) => Dot

const steps = (from: number, to: number, count = 6) =>
  Array.from({ length: count + 1 }, (_, index) => mix(from, to, index / count))

/** Outlines an area of an end. `v` is its range across (-1 to 1), `z` its range of heights (cm). `taper` narrows its bottom edge. */
function patch(at: At, v: readonly [number, number], z: readonly [number, number], taper = 0): Dot[] {
  const [low, high] = z
  const narrow = (value: number) => value * (1 - taper)
  return [
    ...steps(v[0], v[1]).map((value) => at(value, high)),
    ...steps(v[1], v[0]).map((value) => at(narrow(value), low)),
  ]
}

export function frontDetails(sketch: Sketch): string {
  const { shape, surfaces, camera, near } = sketch
  const top = surfaces.shoulderAt(0)
  const around = shape.face === 'bars' || shape.face === 'slots' ? 22 : 40
  if (sketch.view === 'side') return lamp(sketch, near, top, around)
  const at: At = (v, z) => {
    const [x, y, up] = surfaces.side(0.5, z, 1)
    return camera.project([x, y * v, up])
  }
  const foot = surfaces.sillAt(0)
  const valance = area(patch(at, [-0.94, 0.94], [foot, foot + 9], 0.02), '#14181c')
  const plate = area(patch(at, [-0.2, 0.2], [foot + 12, foot + 23]), '#e8ecef', 1, '#7d868e', 0.8)
  return (
    valance +
    intake(sketch, at, foot) +
    grille(sketch, at, top) +
    plate +
    lamp(sketch, -near, top, 2) +
    lamp(sketch, near, top, around)
  )
}

function intake({ shape }: Sketch, at: At, foot: number): string {
  const wide = shape.face === 'bars' ? 0.5 : 0.66
  return area(patch(at, [-wide, wide], [foot + 9, foot + 20], -0.08), '#0c0f12')
}

function grille({ shape }: Sketch, at: At, top: number): string {
  const slats = (v: readonly [number, number], z: readonly [number, number], count: number, color: string) =>
    steps(z[0], z[1], count + 1)
      .slice(1, -1)
      .map((height) => line([at(v[0], height), at(v[1], height)], color, 0.9, 1.1))
      .join('')
  const chrome = '#b9c2ca'
  if (shape.face === 'closed')
    return line(
      steps(-0.5, 0.5).map((v) => at(v, top - 10)),
      '#000',
      0.25,
      1,
    )
  if (shape.face === 'slim') {
    const z = [top - 19, top - 9] as const
    return area(patch(at, [-0.56, 0.56], z, 0.12), '#0d1013', 1, chrome, 1.2) + slats([-0.5, 0.5], z, 2, '#59626a')
  }
  if (shape.face === 'twin')
    return [-1, 1]
      .map((way) => {
        const v = [Math.min(way * 0.05, way * 0.4), Math.max(way * 0.05, way * 0.4)] as const
        return area(patch(at, v, [top - 26, top - 8]), '#0d1013', 1, chrome, 1.5)
      })
      .join('')
  if (shape.face === 'slots')
    return steps(-0.42, 0.42, 6)
      .map((v) => area(patch(at, [v - 0.045, v + 0.045], [top - 40, top - 12]), '#0b0e11', 1, '#59626a', 0.8))
      .join('')
  const tall = { wide: 27, shield: 31, bars: 42 }[shape.face]
  const broad = { wide: 0.6, shield: 0.46, bars: 0.66 }[shape.face]
  const z = [top - tall, top - 8] as const
  const edge = shape.face === 'bars' ? 2.4 : 1.6
  return (
    area(patch(at, [-broad, broad], z, shape.face === 'shield' ? 0.2 : 0.06), '#0d1013', 1, chrome, edge) +
    slats([-broad * 0.94, broad * 0.94], z, shape.face === 'bars' ? 3 : 4, shape.face === 'bars' ? chrome : '#4b545c')
  )
}

function lamp({ shape, surfaces, camera, view }: Sketch, side: number, top: number, reach: number): string {
  const half = Math.abs(surfaces.side(0, top, 1)[1])
  const inwards = view === 'side' ? 0 : 0.3 * half
  const place = (around: number, z: number): Place => {
    if (around >= 0) return surfaces.side(around, z, side)
    const [x, y, up] = surfaces.side(0.5, z, side)
    return [x, (y * (half + around)) / half, up]
  }
  const dot = (around: number, z: number) => camera.project(place(around, z))
  if (shape.face === 'slots') {
    if (view === 'side') return ''
    const round = steps(0, 2 * Math.PI, 16).map((angle) =>
      dot(-13 + 10 * Math.cos(angle), top - 21 + 10 * Math.sin(angle)),
    )
    return area(round, '#dbe5ec', 1, '#20262c', 1.6)
  }
  const tall = shape.face === 'bars' ? 22 : 12
  const arounds = steps(-inwards, reach, 8)
  const upper = arounds.map((around) => dot(around, surfaces.shoulderAt(Math.max(0, around)) - 5))
  const lower = arounds.map((around) => {
    const share = (around + inwards) / (reach + inwards)
    return dot(around, surfaces.shoulderAt(Math.max(0, around)) - 5 - tall * (1 - 0.55 * share ** 2))
  })
  const inner = arounds
    .slice(1, 6)
    .map((around) => dot(around, surfaces.shoulderAt(Math.max(0, around)) - 5 - tall * 0.45))
  return (
    area([...upper, ...lower.toReversed()], '#c9d6df', 1, '#1c2228', 1.5) +
    line(inner, '#fff', 0.95, 2.2) +
    line(lower.slice(0, 6), '#59656f', 0.9, 1)
  )
}

export function rearDetails(sketch: Sketch): string {
  const { shape, surfaces, camera, near } = sketch
  const { length } = shape
  const around = shape.tallLamps || shape.bed ? 12 : 34
  if (sketch.view === 'side') return tailLamp(sketch, near, around)
  const top = surfaces.shoulderAt(length)
  const foot = surfaces.sillAt(length)
  const at: At = (v, z) => {
    const [x, y, up] = surfaces.side(length - 0.5, z, 1)
    return camera.project([x, y * v, up])
  }
  const gate = shape.tallLamps || shape.bed ? 0.8 : 0.7
  const low = mix(foot, top, shape.bed ? 0.34 : 0.42)
  const bumper = shape.bed
    ? area(patch(at, [-0.98, 0.98], [foot + 2, foot + 20]), '#b4bcc3', 1, '#2a3036', 1)
    : area(patch(at, [-0.96, 0.96], [foot, foot + (shape.cladding > 0 ? 16 : 9)], 0.03), '#171b1f')
  const plateAt = shape.bed ? foot + 5 : mix(foot, top, 0.5)
  const opening = [at(-gate, top - 3), at(-gate, low), at(gate, low), at(gate, top - 3)]
  return (
    bumper +
    line(opening, '#000', 0.5, 1.2) +
    line(
      steps(-gate, gate).map((v) => at(v, mix(low, top, 0.62))),
      '#000',
      0.2,
      1.2,
    ) +
    area(patch(at, [-0.19, 0.19], [plateAt, plateAt + 11]), '#e8ecef', 1, '#7d868e', 0.8) +
    (shape.bed ? line([at(-0.12, top - 12), at(0.12, top - 12)], '#0c0f12', 1, 4) : '') +
    tailLamp(sketch, -near, 0) +
    tailLamp(sketch, near, around)
  )
}

function tailLamp({ shape, surfaces, camera, view }: Sketch, side: number, reach: number): string {
  const { length } = shape
  const half = Math.abs(surfaces.side(length, surfaces.shoulderAt(length), 1)[1])
  const isTall = shape.tallLamps === true || shape.bed !== undefined
  const inwards = view === 'side' ? 0 : (isTall ? 0.16 : 0.42) * half
  const place = (around: number, z: number): Place => {
    if (around >= 0) return surfaces.side(length - around, z, side)
    const [x, y, up] = surfaces.side(length - 0.5, z, side)
    return [x, (y * (half + around)) / half, up]
  }
  const dot = (around: number, z: number) => camera.project(place(around, z))
  const arounds = steps(-inwards, reach, 8)
  const topAt = (around: number) => surfaces.shoulderAt(length - Math.max(0, around)) - 5
  const tall = isTall ? 38 : 15
  const upper = arounds.map((around) => dot(around, topAt(around)))
  const lower = arounds.map((around) => dot(around, topAt(around) - tall * (around > 0 ? 0.8 : 1)))
  const reversing = [-inwards * 0.9, reach * 0.6].flatMap((around, index) =>
    (index === 0 ? [26, 33] : [33, 26]).map((down) => dot(around, topAt(0) - down)),
  )
  const glow = arounds.map((around) => dot(around, topAt(around) - tall * 0.34))
  return (
    area([...upper, ...lower.toReversed()], '#9e1a20', 1, '#33080b', 1.4) +
    line(glow, '#ff6a5c', 0.9, 2.2) +
    (isTall && view !== 'side' ? area(reversing, '#e6eaed', 0.6) : '')
  )
}
