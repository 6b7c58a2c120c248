import { downwards, gradient, svg } from './vehicle-drawing.ts'

/** Segments lit per digit, in the order top, upper right, lower right, bottom, lower left, upper left, middle. */
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

/** The cabin behind the wheel with the odometer at `miles`. Digits are drawn, so that no font is needed. */
export function dashSvg(miles: number): string {
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
