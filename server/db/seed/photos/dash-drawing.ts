import { downwards, gradient, svg } from './svg.ts'

/** Lit segments of each digit, in the order top, upper right, lower right, bottom, lower left, upper left, middle. */
const segments: Record<string, string> = {
  '0': '1111110',
  '1': '0110000',
  '2': '1101101',
  '3': '1111001',
  '4': '0110011',
  '5': '1011011',
  '6': '1011111',
  '7': '1110000',
  '8': '1111111',
  '9': '1111011',
}
const strokes = ['M2 0H14', 'M16 2V13', 'M16 17V28', 'M2 30H14', 'M0 17V28', 'M0 2V13', 'M2 15H14']
const digitPitch = 24

export type Cabin = 'car' | 'truck' | 'electric'

const trims: Record<Cabin, { upper: string; lower: string; seam: string; seat: string }> = {
  car: { upper: '#2b3035', lower: '#3a4046', seam: '#59616a', seat: '#24282d' },
  truck: { upper: '#33302d', lower: '#5a4a3c', seam: '#8a7358', seat: '#4a3d32' },
  electric: { upper: '#3b4046', lower: '#d9d8d4', seam: '#a9adb0', seat: '#ecebe8' },
}

export function cabinSvg(cabin: Cabin): string {
  const { upper, lower, seam, seat } = trims[cabin]
  const isElectric = cabin === 'electric'
  return svg(
    `<defs>${gradient('sky', downwards, [
      [0, '#9fbbd0'],
      [1, '#e3ebf0'],
    ])}${gradient('top', downwards, [
      [0, upper],
      [1, '#14171a'],
    ])}</defs>` +
      '<rect width="640" height="400" fill="#15181b"/><path d="M44 26L596 26L640 176L0 176Z" fill="url(#sky)"/>' +
      '<path d="M14 128L626 128L640 176L0 176Z" fill="#8d9296"/><path d="M70 96H210V130H70ZM430 84H560V130H430Z" fill="#b9c2c9"/>' +
      '<circle cx="262" cy="118" r="20" fill="#8a9a8c"/><circle cx="292" cy="112" r="26" fill="#8a9a8c"/><circle cx="388" cy="120" r="18" fill="#8a9a8c"/>' +
      '<path d="M0 0H640V34L596 26H44L0 34Z" fill="#2a2e32"/><rect x="286" y="22" width="96" height="30" rx="10" fill="#1b1f23"/><rect x="292" y="27" width="84" height="20" rx="6" fill="#7f93a3"/>' +
      `<path d="M0 170C120 150 520 150 640 170L640 262L0 262Z" fill="url(#top)"/><path d="M0 236C140 222 500 222 640 236L640 400L0 400Z" fill="${lower}"/>` +
      `<path d="M0 240C140 226 500 226 640 240" fill="none" stroke="${seam}" stroke-width="2"/>` +
      (isElectric ? '' : vents()) +
      (isElectric ? screen(232, 168, 176, 112) : cluster() + screen(288, 186, 108, 72)) +
      `<path d="M280 262H408L436 400H252Z" fill="#1d2125"/><rect x="318" y="292" width="52" height="14" rx="7" fill="#3c444b"/><circle cx="344" cy="340" r="15" fill="#2c3238" stroke="#6b747c" stroke-width="2"/>` +
      (isElectric ? '' : '<rect x="296" y="268" width="96" height="12" rx="4" fill="#2f363c"/>') +
      steeringWheel(seam) +
      `<path d="M-30 400C-20 330 40 306 110 306C180 306 232 332 240 400Z" fill="${seat}"/><path d="M400 400C408 332 460 306 530 306C600 306 660 330 670 400Z" fill="${seat}"/>` +
      `<path d="M40 400C48 344 84 328 110 328C136 328 172 344 180 400M460 400C468 344 504 328 530 328C556 328 592 344 600 400" fill="none" stroke="${seam}" stroke-width="1.6"/>`,
  )
}

const vents = () =>
  [24, 470, 560]
    .map(
      (x) =>
        `<rect x="${x}" y="192" width="60" height="30" rx="7" fill="#0d1013" stroke="#4b535b"/>` +
        [200, 207, 214].map((y) => `<path d="M${x + 6} ${y}H${x + 54}" stroke="#39414a" stroke-width="2"/>`).join(''),
    )
    .join('')

const cluster = () =>
  '<path d="M84 214C92 168 128 158 166 158C204 158 240 168 248 214Z" fill="#0b0e11"/>' +
  [128, 204]
    .map(
      (x) =>
        `<circle cx="${x}" cy="200" r="26" fill="#10151a" stroke="#4c555e" stroke-width="2"/><path d="M${x} 200L${x - 13} 184" stroke="#ff7a4d" stroke-width="2.4" stroke-linecap="round"/>`,
    )
    .join('') +
  '<rect x="156" y="184" width="20" height="26" rx="3" fill="#182028"/>'

const screen = (x: number, y: number, width: number, height: number) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="#0a0d10" stroke="#454d55" stroke-width="2"/>` +
  `<rect x="${x + 6}" y="${y + 6}" width="${width - 12}" height="${height - 12}" rx="4" fill="#1c2b36"/>` +
  `<path d="M${x + 12} ${y + height * 0.7}L${x + width * 0.4} ${y + height * 0.46}L${x + width * 0.62} ${y + height * 0.6}L${x + width - 14} ${y + height * 0.28}" fill="none" stroke="#6fc0dc" stroke-width="4"/>` +
  `<circle cx="${x + width * 0.4}" cy="${y + height * 0.46}" r="4.5" fill="#fff"/>`

const steeringWheel = (seam: string) =>
  '<circle cx="166" cy="262" r="86" fill="none" stroke="#101316" stroke-width="20"/>' +
  `<circle cx="166" cy="262" r="86" fill="none" stroke="${seam}" stroke-width="1.4" stroke-opacity=".7"/>` +
  '<path d="M84 258L134 250H198L248 258L246 274L196 284L180 346H152L136 284L86 274Z" fill="#181c20"/>' +
  '<circle cx="166" cy="264" r="30" fill="#23282d" stroke="#3d454c" stroke-width="2"/>' +
  '<rect x="100" y="258" width="22" height="12" rx="4" fill="#333b42"/><rect x="210" y="258" width="22" height="12" rx="4" fill="#333b42"/>'

/** Draws an odometer. Its digits consist of segments, so no font is needed. */
export function odometerSvg(miles: number): string {
  return svg(
    `<defs>${gradient('cabin', downwards, [
      [0, '#3a4249'],
      [1, '#14181c'],
    ])}` +
      gradient('gauge', 'radial', [
        [0, '#12171c'],
        [0.86, '#0a0d10'],
        [0.87, '#4c555e'],
        [1, '#20262b'],
      ]) +
      '</defs><rect width="640" height="400" fill="url(#cabin)"/>' +
      '<path d="M30 320C30 150 120 70 320 70C520 70 610 150 610 320L610 400L30 400Z" fill="#1a1e23"/>' +
      '<path d="M66 320C70 180 150 104 320 104C490 104 570 180 574 320Z" fill="#07090b"/>' +
      gauge(198, -54) +
      gauge(442, -60) +
      odometer(miles) +
      '<path d="M120 400C140 336 230 318 320 318C410 318 500 336 520 400" fill="none" stroke="#0c0f12" stroke-width="30"/>' +
      '<path d="M120 387C140 323 230 305 320 305C410 305 500 323 520 387" fill="none" stroke="#2d343a" stroke-width="4"/>',
  )
}

function gauge(x: number, needle: number): string {
  const marks = Array.from({ length: 11 }, (_, index) => {
    const long = index % 2 === 0
    return `<path d="M0 -77V${long ? -65 : -70}" stroke="#dfe6ec" stroke-width="${long ? 2.6 : 1.5}" transform="rotate(${-130 + index * 26})"/>`
  })
  return (
    `<g transform="translate(${x} 226)"><circle r="96" fill="url(#gauge)"/>${marks.join('')}` +
    `<path d="M0 0V-68" stroke="#ff7a4d" stroke-width="4" stroke-linecap="round" transform="rotate(${needle - 70})"/>` +
    '<circle r="11" fill="#2d343b"/></g>'
  )
}

function odometer(miles: number): string {
  const text = String(miles).padStart(6, '0')
  const digits = [...text].map((digit, index) => {
    const lit = segments[digit] ?? '0000000'
    const drawn = strokes.filter((_, stroke) => lit[stroke] === '1')
    return `<path transform="translate(${index * digitPitch} 0)" d="${drawn.join('')}" fill="none" stroke="#e9f1f6" stroke-width="3" stroke-linecap="round"/>`
  })
  const left = 320 - (text.length * digitPitch - 8) / 2
  return (
    '<rect x="236" y="218" width="168" height="68" rx="8" fill="#0f161b" stroke="#39424a"/>' +
    `<g transform="translate(${left} 237)">${digits.join('')}</g>`
  )
}
