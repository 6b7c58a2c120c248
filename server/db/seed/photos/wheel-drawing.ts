import type { Camera, Place } from './camera.ts'

/** Draws a wheel by projecting a flat unit circle onto the wheel's plane. */
export function wheel(camera: Camera, [x, y, z]: Place, radius: number, spokes: number): string {
  const [middle, right, up] = [
    camera.project([x, y, z]),
    camera.project([x + radius, y, z]),
    camera.project([x, y, z + radius]),
  ]
  const laid = [right[0] - middle[0], right[1] - middle[1], middle[0] - up[0], middle[1] - up[1], ...middle]
  return `<g transform="matrix(${laid.map((value) => value.toFixed(2)).join(' ')})">${flatWheel(spokes)}</g>`
}

export function flatWheel(spokes: number): string {
  const wide = Math.min(0.2, 0.9 / spokes)
  const spoke = `M${-wide * 0.62} -.16L${-wide * 0.5} -.64L${wide * 0.5} -.64L${wide * 0.62} -.16Z`
  const shade = `M${wide * 0.1} -.16L${wide * 0.1} -.64L${wide * 0.5} -.64L${wide * 0.62} -.16Z`
  const drawn = Array.from({ length: spokes }, (_, index) => {
    const turned = `transform="rotate(${(360 / spokes) * index})"`
    return `<path d="${spoke}" ${turned} fill="#c9d0d6"/><path d="${shade}" ${turned} fill="#8c959d"/>`
  })
  return (
    '<circle r="1" fill="#15181b"/><circle r=".95" fill="none" stroke="#2a2f34" stroke-width=".03"/>' +
    '<circle r=".8" fill="none" stroke="#23282c" stroke-width=".02"/>' +
    '<circle r=".7" fill="#0d1013"/><circle r=".5" fill="#2a3036"/><circle r=".4" fill="#363d44"/>' +
    drawn.join('') +
    '<circle r=".67" fill="none" stroke="#d4dae0" stroke-width=".06"/><circle r=".7" fill="none" stroke="#7d868e" stroke-width=".02"/>' +
    '<circle r=".17" fill="#b8c0c7"/><circle r=".09" fill="#646c74"/>'
  )
}
