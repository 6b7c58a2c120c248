import { downwards, gradient, svg } from './vehicle-drawing.ts'

interface Light {
  sky: readonly [string, string, string]
  ground: readonly [string, string, string]
  building: string
  doors: string
  trees: string
}

/** The yards the demo's photos are taken in; a dealer always shoots in the same one. */
const yards: readonly Light[] = [
  { sky: ['#b9c6d1', '#dbe2e7', '#e9ecec'], ground: ['#8b9095', '#757a7f', '#5f6468'], building: '#a9b2b8', doors: '#7b858c', trees: '#7f8b84' },
  { sky: ['#8fb4d6', '#c6dbeb', '#e6eff5'], ground: ['#a7a39b', '#918d86', '#77736d'], building: '#cfc7b8', doors: '#8b7f6f', trees: '#6d8a68' },
  { sky: ['#7c8291', '#c9a995', '#ead2b8'], ground: ['#767172', '#615d60', '#4b484c'], building: '#8c8488', doors: '#5d575d', trees: '#5e6259' },
] // prettier-ignore
export const yardCount = yards.length

const cars: readonly (readonly [x: number, y: number, width: number, colour: string])[] = [
  [470, 236, 60, '#6d7780'],
  [548, 238, 64, '#c5cacf'],
  [330, 240, 58, '#9c4a46'],
  [398, 238, 60, '#4f5b68'],
]

/** The empty yard behind a vehicle, out of focus at the back. */
export function scenerySvg(yard: number): string {
  const light = yards[yard % yards.length]
  if (!light) throw new RangeError(`no yard ${yard}`)
  const [top, middle, bottom] = light.sky
  const [near, far, deep] = light.ground
  const parked = cars.map(
    ([x, y, width, colour]) => `<rect x="${x}" y="${y}" width="${width}" height="25" rx="8" fill="${colour}"/>`,
  )
  return svg(
    '<defs>' +
      gradient('sky', downwards, [
        [0, top],
        [0.6, middle],
        [1, bottom],
      ]) +
      gradient('ground', downwards, [
        [0, near],
        [0.35, far],
        [1, deep],
      ]) +
      '<filter id="blur" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur stdDeviation="5"/></filter></defs>' +
      '<rect width="640" height="262" fill="url(#sky)"/><g filter="url(#blur)">' +
      `<rect x="-20" y="172" width="250" height="92" fill="${light.building}"/>` +
      `<rect x="20" y="204" width="44" height="60" fill="${light.doors}"/>` +
      `<rect x="96" y="204" width="44" height="60" fill="${light.doors}"/>` +
      `<path d="M230 264C240 226 270 214 300 222C322 204 360 208 378 226C410 208 446 214 466 232C500 220 560 222 600 240L680 244L680 270L230 270Z" fill="${light.trees}"/>` +
      parked.join('') +
      '</g><rect y="260" width="640" height="140" fill="url(#ground)"/>' +
      '<path d="M0 372L640 356L640 362L0 379Z" fill="#e7e6dd" opacity=".55"/>' +
      '<path d="M60 262L20 400L32 400L66 262Z" fill="#e7e6dd" opacity=".18"/>' +
      '<path d="M560 262L632 400L645 400L566 262Z" fill="#e7e6dd" opacity=".18"/>',
  )
}
