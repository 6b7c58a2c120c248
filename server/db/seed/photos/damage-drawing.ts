import { area, downwards, gradient, line, type Paint, painted, svg, tone } from './svg.ts'
import { flatWheel } from './wheel-drawing.ts'

export type Damage = 'dings' | 'hail' | 'respray' | 'quarter' | 'wheels' | 'glass'

const words: readonly (readonly [RegExp, Damage])[] = [
  [/door dings/i, 'dings'],
  [/\bhail\b/i, 'hail'],
  [/respray/i, 'respray'],
  [/left quarter/i, 'quarter'],
  [/curb rash/i, 'wheels'],
  [/windshield has a small star/i, 'glass'],
]

export const damageIn = (description: string): Damage | undefined =>
  words.find(([pattern]) => pattern.test(description))?.[1]

/** False for drawings without the vehicle's paint: glass and wheels look the same on every vehicle. */
export const isPainted = (damage: Damage): boolean => damage !== 'wheels' && damage !== 'glass'

export function damageSvg(damage: Damage, paint: Paint): string {
  return svg(painted(drawings[damage](), paint))
}

const panel = () =>
  `<defs>${gradient('panel', downwards, [
    [0, tone(0.95)],
    [0.3, tone(0.62)],
    [0.44, tone(0.78)],
    [0.52, tone(0.42)],
    [1, tone(0.16)],
  ])}</defs><rect width="640" height="400" fill="url(#panel)"/>` +
  line(
    [
      [0, 176],
      [320, 168],
      [640, 172],
    ],
    '#fff',
    0.5,
    3,
  ) +
  line(
    [
      [0, 184],
      [320, 176],
      [640, 180],
    ],
    '#000',
    0.22,
    3,
  )

/** Draws a dent. Its upper rim is dark, because the light comes from above. */
const dent = (x: number, y: number, wide: number, high: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${wide}" ry="${high}" fill="${tone(0.2)}" fill-opacity=".6"/>` +
  `<ellipse cx="${x}" cy="${y + high * 0.34}" rx="${wide * 0.74}" ry="${high * 0.6}" fill="${tone(0.72)}"/>` +
  `<ellipse cx="${x}" cy="${y + high * 0.6}" rx="${wide * 0.5}" ry="${high * 0.24}" fill="#fff" fill-opacity=".5"/>`

const ruler = (x: number, y: number) =>
  `<g transform="translate(${x} ${y})"><rect width="212" height="34" rx="3" fill="#f2d34c" stroke="#6d5c12" stroke-width="1.5"/>` +
  Array.from({ length: 21 }, (_, mark) => {
    const long = mark % 5 === 0
    return `<path d="M${6 + mark * 10} 0V${long ? 18 : 10}" stroke="#2d270a" stroke-width="${long ? 2 : 1.2}"/>`
  }).join('') +
  '</g>'

const ring = (x: number, y: number, radius: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${radius * 1.15}" ry="${radius}" fill="none" stroke="#ffb020" stroke-width="3.5" stroke-dasharray="10 7"/>`

const hailDents = [[92, 86, 15], [186, 128, 12], [300, 74, 17], [402, 122, 13], [520, 88, 15], [580, 152, 11], [128, 206, 13], [246, 232, 16], [352, 198, 12], [470, 226, 14], [560, 258, 12], [196, 300, 14], [404, 306, 13]] as const // oxfmt-ignore

const drawings: Record<Damage, () => string> = {
  dings: () =>
    panel() +
    line(
      [
        [452, 0],
        [446, 400],
      ],
      '#000',
      0.6,
      5,
    ) +
    line(
      [
        [459, 0],
        [453, 400],
      ],
      '#fff',
      0.3,
      2,
    ) +
    `<rect x="486" y="96" width="128" height="30" rx="15" fill="${tone(0.1)}"/><rect x="490" y="94" width="120" height="18" rx="9" fill="${tone(0.9)}"/>` +
    dent(196, 236, 26, 17) +
    dent(322, 268, 19, 12) +
    ring(196, 236, 46) +
    ring(322, 268, 36) +
    ruler(136, 326),
  hail: () =>
    `<defs>${gradient('panel', downwards, [
      [0, tone(0.98)],
      [1, tone(0.56)],
    ])}</defs><rect width="640" height="400" fill="url(#panel)"/>` +
    line(
      [
        [70, 400],
        [210, 0],
      ],
      '#000',
      0.2,
      4,
    ) +
    line(
      [
        [570, 400],
        [430, 0],
      ],
      '#000',
      0.2,
      4,
    ) +
    area(
      [
        [80, 400],
        [216, 0],
        [268, 0],
        [150, 400],
      ],
      '#fff',
      0.16,
    ) +
    hailDents.map(([x, y, size]) => dent(x, y, size * 1.2, size)).join('') +
    ruler(214, 346),
  respray: () =>
    panel() +
    `<path d="M0 214C200 236 440 236 640 208L640 400L0 400Z" fill="${tone(0.3)}"/>` +
    `<path d="M236 226C330 240 470 236 590 214L620 330C480 372 330 372 222 352Z" fill="${tone(0.52)}" fill-opacity=".85"/>` +
    line(
      [
        [0, 214],
        [210, 231],
        [430, 231],
        [640, 208],
      ],
      '#000',
      0.65,
      4,
    ) +
    `<path d="M60 262H196V300H74Z" fill="#101418"/><rect x="92" y="324" width="70" height="18" rx="9" fill="#c4412f"/>` +
    Array.from(
      { length: 60 },
      (_, dot) =>
        `<circle cx="${250 + ((dot * 53) % 340)}" cy="${246 + ((dot * 37) % 104)}" r="1.3" fill="#fff" fill-opacity=".35"/>`,
    ).join('') +
    ring(410, 296, 84),
  quarter: () =>
    panel() +
    '<path d="M330 400C334 262 430 196 528 196C592 196 640 216 640 228L640 400Z" fill="#0b0e11"/>' +
    `<path d="M318 400C322 252 424 184 528 184C596 184 640 204 640 216" fill="none" stroke="${tone(0.2)}" stroke-width="7"/>` +
    '<g transform="translate(540 396) scale(150)">' +
    flatWheel(5) +
    '</g>' +
    dent(196, 214, 66, 26) +
    line(
      [
        [128, 226],
        [172, 238],
        [226, 240],
        [262, 230],
      ],
      '#fff',
      0.7,
      2.4,
    ) +
    line(
      [
        [140, 252],
        [196, 262],
        [240, 256],
      ],
      tone(0.05),
      0.7,
      2,
    ) +
    ring(196, 226, 82) +
    ruler(72, 334),
  wheels: () =>
    '<rect width="640" height="400" fill="#7d8287"/><rect y="330" width="640" height="70" fill="#5c6165"/>' +
    '<g transform="translate(330 196) scale(236)">' +
    flatWheel(5) +
    '</g>' +
    [
      [-142, -96],
      [-104, -64],
      [18, 52],
      [66, 84],
    ]
      .map(([from = 0, to = 0]) => rash(from, to))
      .join('') +
    ring(250, 64, 52) +
    ring(432, 306, 68),
  glass: () =>
    `<defs>${gradient('pane', 'x1="0" y1="0" x2="1" y2="1"', [
      [0, '#9db2c1'],
      [0.5, '#62778a'],
      [1, '#35434f'],
    ])}</defs><rect width="640" height="400" fill="url(#pane)"/>` +
    '<path d="M0 330C200 306 440 306 640 330L640 400L0 400Z" fill="#15191d"/><path d="M60 322L430 300L436 306L70 334Z" fill="#0b0e11"/>' +
    area(
      [
        [120, 0],
        [230, 0],
        [60, 320],
        [0, 326],
        [0, 214],
      ],
      '#fff',
      0.13,
    ) +
    Array.from({ length: 9 }, (_, ray) => {
      const angle = (ray / 9) * 2 * Math.PI + 0.3
      const reach = 22 + ((ray * 29) % 34)
      const [x, y] = [404 + reach * Math.cos(angle), 158 + reach * Math.sin(angle)]
      return line(
        [
          [404, 158],
          [404 + (x - 404) * 0.55 + 3, 158 + (y - 158) * 0.5],
          [x, y],
        ],
        '#f4f9fc',
        0.95,
        1.8,
      )
    }).join('') +
    '<circle cx="404" cy="158" r="8" fill="#e9f1f6"/><circle cx="404" cy="158" r="4" fill="#24303a"/>' +
    ring(404, 158, 72),
}

function rash(from: number, to: number): string {
  const marks = Array.from({ length: 9 }, (_, mark) => {
    const angle = ((from + ((to - from) * mark) / 8) * Math.PI) / 180
    const [inner, outer] = [151 - (mark % 3) * 4, 164 + (mark % 2) * 4]
    return line(
      [
        [330 + inner * Math.cos(angle), 196 + inner * Math.sin(angle)],
        [330 + outer * Math.cos(angle + 0.03), 196 + outer * Math.sin(angle + 0.03)],
      ],
      mark % 2 ? '#5b636a' : '#f1f4f6',
      0.95,
      3,
    )
  })
  return marks.join('')
}
