import { bodyShapes, type BodyShape, type ShapeName } from './body-shapes.ts'
import { cabinPieces, lowerPieces, type Piece, type Sketch, surfacesOf, type View } from './body-mesh.ts'
import { between, type Camera, type Dot, mix, openCamera, type Place } from './camera.ts'
import { frontDetails, rearDetails } from './end-drawing.ts'
import { scenery, type Yard } from './scenery-drawing.ts'
import { area, areas, downwards, gradient, hull, line, type Paint, painted, svg, tone } from './svg.ts'
import { wheel } from './wheel-drawing.ts'

const views: Record<View, { degrees: number; distance: number; height: number; lift: number }> = {
  front: { degrees: 40, distance: 760, height: 148, lift: 236 },
  side: { degrees: 0, distance: 1_250, height: 118, lift: 246 },
  rear: { degrees: -137, distance: 780, height: 152, lift: 236 },
}
const targetHeight = 76
const usualLength = 540
const drawnWidth = 540

function cameraFor({ length, width }: BodyShape, view: View): Camera {
  const { degrees, distance, height, lift } = views[view]
  const angle = (degrees * Math.PI) / 180
  const wide = (long: number) => Math.abs(Math.cos(angle)) * long + Math.abs(Math.sin(angle)) * width
  return openCamera({
    target: [length / 2, 0, targetHeight],
    degrees,
    distance,
    height,
    // Draw larger vehicles somewhat larger, but let every vehicle fill the picture.
    scale: drawnWidth / mix(wide(length), wide(usualLength), view === 'side' ? 0.3 : 0.1),
    middle: [view === 'side' ? 320 : 338, lift],
  })
}

/** Returns an SVG of 640 by 400 pixels. */
export function vehicleSvg(name: ShapeName, paint: Paint, view: View, yard: Yard): string {
  const shape: BodyShape = bodyShapes[name]
  const known = drawn.get(`${name} ${view}`) ?? draw(shape, view)
  drawn.set(`${name} ${view}`, known)
  return svg(scenery(yard, known.camera, shape.length) + painted(known.vehicle, paint))
}

const drawn = new Map<string, ReturnType<typeof draw>>()

function draw(shape: BodyShape, view: View) {
  const camera = cameraFor(shape, view)
  // The rear view shows the vehicle's right side.
  const near = view === 'rear' ? 1 : -1
  const sketch: Sketch = { shape, surfaces: surfacesOf(shape), camera, view, near }
  const vehicle =
    `<defs>${glassGradient}</defs>` +
    shadow(sketch) +
    farWheels(sketch) +
    underlay(sketch) +
    pieces(lowerPieces(sketch)) +
    bed(sketch) +
    sideDetails(sketch) +
    (view === 'rear' ? '' : frontDetails(sketch)) +
    (view === 'front' ? '' : rearDetails(sketch)) +
    mirror(sketch, -near) +
    cabinUnderlay(sketch) +
    pieces(cabinPieces(sketch)) +
    windows(sketch) +
    rails(sketch) +
    mirror(sketch, near) +
    nearWheels(sketch)
  return { camera, vehicle }
}

const glassGradient = gradient('glass', downwards, [
  [0, '#6d7f8c'],
  [0.4, '#33404a'],
  [1, '#161c21'],
])

function pieces(list: readonly Piece[]): string {
  const byLight = new Map<number, (readonly Dot[])[]>()
  for (const { dots, light } of list) byLight.set(light, [...(byLight.get(light) ?? []), dots])
  return [...byLight].map(([light, dots]) => areas(dots, tone(light))).join('')
}

function underlay({ shape, surfaces, camera, near, view }: Sketch): string {
  const { length } = shape
  const along = (at: (x: number) => Place, from: number, to: number) =>
    steps(from, to, 16).map((x) => camera.project(at(x)))
  const ends = (share: number, x: number) => {
    const [px, y, z] = surfaces.band(x, share, near)
    return [camera.project([px, y, z]), camera.project([px, -y, z])]
  }
  const x = view === 'rear' ? length : 0
  const side = [
    ...along((at) => surfaces.band(at, 1, near), 0, length),
    ...along((at) => surfaces.band(at, 0, near), 0, length).toReversed(),
  ]
  const deck = [
    ...along((at) => surfaces.deck(at, -0.97), 0, length),
    ...along((at) => surfaces.deck(at, 0.97), 0, length).toReversed(),
  ]
  const cap = view === 'side' ? '' : area([...ends(1, x), ...ends(0, x).toReversed()], tone(0.4))
  return area(side, tone(0.5), 1, tone(0.5), 0.8) + area(deck, tone(0.9)) + cap
}

function cabinUnderlay({ surfaces, camera, near }: Sketch): string {
  const { roofFrom, roofTo } = surfaces
  const along = (at: (x: number) => Place) => steps(roofFrom, roofTo, 20).map((x) => camera.project(at(x)))
  const side = [...along((x) => surfaces.cabin(x, 0, near)), ...along((x) => surfaces.cabin(x, 1, near)).toReversed()]
  const roof = [...along((x) => surfaces.top(x, -1)), ...along((x) => surfaces.top(x, 1)).toReversed()]
  return area(side, tone(0.55), 1, tone(0.55), 0.8) + area(roof, tone(0.9), 1, tone(0.9), 0.6)
}

function shadow({ shape, camera }: Sketch): string {
  const { length, width } = shape
  const round = (grow: number) =>
    Array.from({ length: 28 }, (_, index): Dot => {
      const angle = (index / 14) * Math.PI
      const square = (value: number) => Math.sign(value) * Math.abs(value) ** 0.6
      const [x, y] = [square(Math.cos(angle)), square(Math.sin(angle))]
      return camera.project([length / 2 + x * (length / 2 + grow), y * (width / 2 + grow) + grow * 0.3, 0])
    })
  return [26, 14, 4, -6, -16].map((grow) => area(round(grow), '#05070a', 0.2)).join('')
}

const wheelPlane = ({ width }: BodyShape) => width / 2 - 3

function farWheels({ shape, camera, near }: Sketch): string {
  return shape.axles.map((x) => tire(camera, [x, -near * wheelPlane(shape), shape.wheel], shape.wheel, -near)).join('')
}

function nearWheels({ shape, camera, near }: Sketch): string {
  return shape.axles
    .map((x) => {
      const hub: Place = [x, near * wheelPlane(shape), shape.wheel]
      return tire(camera, hub, shape.wheel, near) + wheel(camera, hub, shape.wheel, shape.spokes)
    })
    .join('')
}

function tire(camera: Camera, [x, y, z]: Place, radius: number, side: number): string {
  const ring = (depth: number) =>
    Array.from({ length: 24 }, (_, index): Dot => {
      const angle = (index / 12) * Math.PI
      return camera.project([x + radius * Math.cos(angle), y - side * depth, z + radius * Math.sin(angle)])
    })
  return area(hull([...ring(0), ...ring(22)]), '#0d1013')
}

const steps = (from: number, to: number, count: number) =>
  Array.from({ length: count + 1 }, (_, index) => mix(from, to, index / count))

function bed({ shape, surfaces, camera }: Sketch): string {
  if (!shape.bed) return ''
  const [from, to] = shape.bed
  const rim = (v: number) => steps(from, to, 6).map((x) => camera.project(surfaces.deck(x, v)))
  return area([...rim(-0.9), ...rim(0.9).toReversed()], '#15191d') + line([...rim(-0.9)], '#000', 0.5, 1)
}

function sideDetails(sketch: Sketch): string {
  const { shape, surfaces, camera, near } = sketch
  const { length, cladding, axles, wheel: radius } = shape
  const at = (x: number, z: number) => camera.project(surfaces.side(x, z, near))
  const along = (share: number, from = 16, to = length - 16) =>
    steps(from, to, 26).map((x) => camera.project(surfaces.band(x, share, near)))
  const foot = steps(5, length - 16, 30)
  const dark = tone(0.12)
  const arch = (axle: number, grow: number) => {
    const reach = radius * 1.13 + grow
    const down = -Math.asin(between(-1, (radius - shape.clearance) / reach, 1))
    return steps(down, Math.PI - down, 20).map((angle) => {
      const x = between(1, axle + reach * Math.cos(angle), length - 1)
      return at(x, between(surfaces.sillAt(x), radius + reach * Math.sin(angle), surfaces.shoulderAt(x) - 2))
    })
  }
  const trim =
    cladding > 0
      ? area(
          [
            ...foot.map((x) => at(x, surfaces.sillAt(x) + cladding)),
            ...foot.toReversed().map((x) => at(x, surfaces.sillAt(x))),
          ],
          '#1c2126',
        ) + axles.map((axle) => area(arch(axle, cladding > 10 ? 6 : 4), '#1c2126')).join('')
      : line(along(0.03, axles[0] + radius, axles[1] - radius), '#000', 0.5, 2.4)
  return (
    area([...along(0.95), ...along(0.8).toReversed()], '#fff', 0.1) +
    line(along(0.91), '#fff', 0.4, 1.2) +
    line(along(0.66, 60, length - 50), '#000', 0.2, 1.2) +
    line(along(0.645, 60, length - 50), '#fff', 0.2, 0.9) +
    area([...along(0.2, axles[0], axles[1]), ...along(0.08, axles[0], axles[1]).toReversed()], '#000', 0.16) +
    trim +
    axles.map((axle) => area(arch(axle, 0), '#08090b') + line(arch(axle, 0.6), dark, 0.8, 1.2)).join('') +
    doors(sketch)
  )
}

function doors({ shape, surfaces, camera, near }: Sketch): string {
  const at = (x: number, z: number) => camera.project(surfaces.side(x, z, near))
  const reach = shape.wheel * 1.13 + 4
  /** Returns the height of a door's lower edge at `x`: of the sill or, if it is higher, of the wheel arch. */
  const footAt = (x: number) => {
    const inWay = shape.axles.find((axle) => Math.abs(axle - x) < reach)
    const sill = surfaces.sillAt(x) + Math.max(5, shape.cladding)
    return inWay === undefined ? sill : Math.max(sill, shape.wheel + Math.sqrt(reach ** 2 - (x - inWay) ** 2))
  }
  const seams = shape.doors.map((x) =>
    line(
      [1, 0.75, 0.5, 0.25, 0].map((share) => at(x, mix(footAt(x), surfaces.shoulderAt(x), share))),
      '#000',
      0.45,
      1.1,
    ),
  )
  const handles = shape.doors.slice(1).map((x) => {
    const z = surfaces.shoulderAt(x) - 11
    const grip = [at(x - 26, z), at(x - 8, z + 0.6)]
    return line(grip, tone(0.08), 1, 3.4) + line(grip, tone(0.85), 1, 1.5)
  })
  return [...seams, ...handles].join('')
}

/** Draws the side windows and, in three-quarter views, the visible windshield or rear window. */
function windows(sketch: Sketch): string {
  const { shape, surfaces, camera, near, view } = sketch
  const [from, to, ...pillars] = shape.glass
  const upper = (x: number) => Math.min(...[-11, 0, 11].map((by) => surfaces.roofAt(x + by))) - 8
  const lower = (x: number) => surfaces.shoulderAt(x) + 3.5
  const at = (x: number, z: number) => {
    const foot = surfaces.shoulderAt(x)
    return camera.project(surfaces.cabin(x, between(0, (z - foot) / Math.max(1, surfaces.roofAt(x) - foot), 1), near))
  }
  const xs = steps(from, to, 34).filter((x) => upper(x) > lower(x) + 1)
  const pane = [...xs.map((x) => at(x, lower(x))), ...xs.toReversed().map((x) => at(x, upper(x)))]
  const posts = pillars.map((x) => line([at(x, lower(x)), at(x - 3, upper(x))], '#0b0e11', 1, 4))
  const seats = [0.3, 0.66].map((share) => {
    const x = mix(from, to, share)
    return surfaces.roofAt(x) - surfaces.shoulderAt(x) > 34 ? seat(sketch, x) : ''
  })
  return (
    area(pane, 'url(#glass)', 1, '#0b0e11', 2) +
    seats.join('') +
    gleam(xs, at, lower, upper) +
    posts.join('') +
    (view === 'side' ? '' : screen(sketch))
  )
}

function seat({ shape, surfaces, camera, near }: Sketch, x: number): string {
  const z = surfaces.shoulderAt(x) + 4
  const dots = [
    [-9, 0],
    [-8, 14],
    [-4, 20],
    [5, 20],
    [9, 13],
    [11, 0],
  ].map(([dx = 0, dz = 0]) => camera.project([x + dx, near * shape.width * 0.3, z + dz]))
  return area(dots, '#0a0d10', 0.55)
}

function gleam(
  xs: readonly number[],
  at: (x: number, z: number) => Dot,
  lower: (x: number) => number,
  upper: (x: number) => number,
): string {
  const some = xs.slice(Math.floor(xs.length * 0.24), Math.floor(xs.length * 0.4))
  const slant = (x: number) => between((some[0] ?? 0) - 6, x - 10, some.at(-1) ?? 0)
  return area(
    [...some.map((x) => at(x, upper(x))), ...some.toReversed().map((x) => at(slant(x), lower(x)))],
    '#dfe9f0',
    0.13,
  )
}

function screen({ shape, surfaces, camera, view }: Sketch): string {
  const [front, rear] = shape.screens
  const [foot, head] = view === 'rear' ? [surfaces.roofTo - 4, rear + 3] : [surfaces.roofFrom + 5, front - 2]
  const edge = (v: number) => steps(foot, head, 8).map((x) => camera.project(surfaces.top(x, v)))
  const across = (x: number) => steps(-0.87, 0.87, 8).map((v) => camera.project(surfaces.top(x, v)))
  const outline = [...edge(-0.89), ...across(head), ...edge(0.89).toReversed(), ...across(foot).toReversed()]
  const band = [...edge(-0.1).slice(1), ...edge(0.3).slice(1).toReversed()]
  const wiper =
    view === 'rear'
      ? ''
      : line(
          [edge(-0.5)[0], edge(0.1)[1]].flatMap((dot) => (dot ? [dot] : [])),
          '#07090b',
          1,
          2,
        )
  return area(outline, 'url(#glass)', 1, '#0b0e11', 2) + area(band, '#dfe9f0', 0.12) + wiper
}

function rails({ shape, surfaces, camera, near }: Sketch): string {
  if (!shape.rails) return ''
  const rail = steps(shape.screens[0] + 14, shape.screens[1] - 14, 10).map((x) => {
    const [, y, z] = surfaces.cabin(x, 1, near)
    return camera.project([x, y * 0.93, z + 7])
  })
  return line(rail, '#14181c', 1, 3) + line(rail, '#aeb7bf', 0.5, 1)
}

function mirror({ shape, surfaces, camera }: Sketch, side: number): string {
  const x = shape.glass[0] + 16
  const [, edge] = surfaces.cabin(x, 0.05, side)
  const z = surfaces.shoulderAt(x) + 6
  const size = shape.clearance > 26 || shape.tallLamps ? 1.05 : 0.84
  const box = (from: number, to: number, high: number) =>
    hull(
      [0, 9 * size].flatMap((dx) =>
        [from, to].flatMap((out) => [0, high].map((up) => camera.project([x + dx, edge + side * out, z + up]))),
      ),
    )
  const shell = box(6, 20 * size, 12 * size)
  // Stroke with the fill color, which makes the corners round.
  return (
    area(box(-2, 6, 5), '#12161a') +
    area(shell, tone(0.12), 1, tone(0.12), 5) +
    area(shell, tone(0.5), 1, tone(0.5), 3.4)
  )
}
