import type { Camera, Dot } from './camera.ts'
import { area, downwards, drawingHeight, drawingWidth, gradient } from './svg.ts'

interface Light {
  sky: readonly [string, string]
  ground: readonly [string, string]
  far: string
  building: string
  roof: string
  doors: string
  trees: string
  lines: string
}

const yards: readonly Light[] = [
  { sky: ['#aebdca', '#e4e9ec'], ground: ['#9a9fa3', '#6c7175'], far: '#bcc6cd', building: '#cfd5d9', roof: '#8f9aa3', doors: '#a3adb5', trees: '#8d9b92', lines: '#e9e8e0' },
  { sky: ['#7fadd6', '#dcebf5'], ground: ['#b0aca4', '#827e77'], far: '#a9c0d0', building: '#d9d2c4', roof: '#7d6f5f', doors: '#b3a893', trees: '#7c9873', lines: '#f4f2e8' },
  { sky: ['#8890a5', '#f0dcc2'], ground: ['#85807f', '#56525a'], far: '#b3a7ab', building: '#9b9097', roof: '#5d555f', doors: '#7d737c', trees: '#6c6f66', lines: '#ded7cd' },
] // oxfmt-ignore
export const yardCount = yards.length
export type Yard = number

export function scenery(yard: Yard, camera: Camera, length: number): string {
  const light = yards[yard % yards.length]
  if (!light) throw new RangeError(`no yard ${yard}`)
  const level = camera.horizon
  const box = (x: number, width: number, height: number, color: string) =>
    `<rect x="${x}" y="${(level - height).toFixed(1)}" width="${width}" height="${height + 6}" fill="${color}"/>`
  const doors = [398, 452, 506, 560].map((x) => box(x, 40, 22, light.doors)).join('')
  const tree = (x: number, radius: number) =>
    `<circle cx="${x}" cy="${(level - radius * 0.7).toFixed(1)}" r="${radius}" fill="${light.trees}"/>`
  return (
    `<defs>${gradient('sky', downwards, [
      [0, light.sky[0]],
      [1, light.sky[1]],
    ])}${gradient('ground', downwards, [
      [0, light.ground[0]],
      [1, light.ground[1]],
    ])}</defs>` +
    `<rect width="${drawingWidth}" height="${(level + 4).toFixed(1)}" fill="url(#sky)"/>` +
    [
      [0, 90, 26],
      [84, 60, 38],
      [150, 120, 20],
      [300, 70, 30],
    ]
      .map(([x = 0, width = 0, height = 0]) => box(x, width, height, light.far))
      .join('') +
    [
      [26, 22],
      [58, 28],
      [98, 20],
      [236, 24],
      [268, 30],
      [304, 21],
    ]
      .map(([x = 0, radius = 0]) => tree(x, radius))
      .join('') +
    box(380, 280, 52, light.building) +
    box(376, 288, 58, light.roof).replace(/height="[\d.]+"/, 'height="8"') +
    doors +
    `<rect y="${level.toFixed(1)}" width="${drawingWidth}" height="${(drawingHeight - level).toFixed(1)}" fill="url(#ground)"/>` +
    [-70, length + 60].map((x) => stripe(camera, x, light.lines)).join('')
  )
}

function stripe(camera: Camera, x: number, color: string): string {
  const ends: Dot[] = [
    camera.project([x, -330, 0]),
    camera.project([x + 11, -330, 0]),
    camera.project([x + 11, 420, 0]),
    camera.project([x, 420, 0]),
  ]
  return area(ends, color, 0.5)
}
