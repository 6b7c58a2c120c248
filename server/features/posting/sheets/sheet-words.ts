import { cutText } from '#shared/cut-text.ts'
import { toStorable } from '#server/platform/storable-text.ts'
import type { CellReading } from './sheet-cells.ts'

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  deg: '°',
  reg: '®',
  trade: '™',
  copy: '©',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
}

const accents: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  ring: '\u030a',
}

const codePointMax = 0x10_ffff

function entityOf(whole: string, body: string): string {
  if (body.startsWith('#')) {
    const code = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1))
    // An emoji may be written as two surrogates. A lone surrogate is removed below.
    return code > 0 && code <= codePointMax ? String.fromCodePoint(code) : whole
  }
  const [, letter = '', accent = ''] = /^([a-z])(acute|grave|circ|uml|tilde|cedil|ring)$/i.exec(body) ?? []
  if (letter !== '') return (letter + (accents[accent] ?? '')).normalize('NFC')
  return namedEntities[body] ?? whole
}

/** Matches invisible characters, except the joiner within an emoji. */
const unseen =
  /[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|\u200d(?!\p{Extended_Pictographic})/gu

const tags = /<\/?(br|p|li|ul|ol|div|b|i|u|em|strong|span|font|h[1-6])\b[^<>]*>/gi
const blockTags = new Set(['br', 'p', 'li', 'div'])
// oxlint-disable-next-line no-control-regex -- A spreadsheet program shows none of them.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const isPlain = /^[\w .,:;$%#@!?*+/()[\]"-]*$/

/** Bytes 0x80 to 0x9F of Windows-1252, in byte order. */
const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
/** Begins with the first byte of a Latin letter (ÂÃÄÅ), punctuation (â), a byte order mark (ï) or an emoji (ð), so that `Café’’` stays. */
const mojibake = /[\u00c2-\u00c5\u00e2\u00ef\u00f0][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ\u017d‘’“”•–—˜™š›œžŸ]+/g
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Restores UTF-8 text that was decoded as Windows-1252: `MontrÃ©al` is Montréal. Some text was garbled twice. */
function fixMojibake(text: string): string {
  const once = text.replace(mojibake, (signs) => {
    const bytes = [...signs].map((sign) =>
      windowsSigns.includes(sign) ? windowsSigns.indexOf(sign) + 0x80 : sign.charCodeAt(0),
    )
    try {
      return strictUtf8.decode(Uint8Array.from(bytes))
    } catch {
      return signs
    }
  })
  return once === text ? text : fixMojibake(once)
}

/** Returns a cell's visible text: decodes tags and entities and removes invisible characters. */
export function visibleText(cell: string): string {
  if (isPlain.test(cell)) return /^\(?null\)?$/i.test(cell.trim()) ? '' : cell.trim()
  return toStorable(
    fixMojibake(cell)
      // Spreadsheet programs write `="12995"` for text. Some databases quote with apostrophes.
      .replace(/^\s*(?:="(.*)"|'(.*)')\s*$/s, '$1$2')
      .replace(/^(?:\\N|NULL|\(null\))$/i, '')
      .replace(tags, (_, name: string) => (blockTags.has(name.toLowerCase()) ? '\n' : ''))
      .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/gi, entityOf)
      .replace(controls, ' ')
      .replace(unseen, '')
      .trim(),
  )
}

const formulaError = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|ERROR!)$/i

const noText =
  /^(?:n\/?a|n\.a\.|none|null|nil|nan|undefined|tb[adc]|unknown|unk|pending|not (?:given|available|applicable|specified)|[-—?.*]+)\.?$/i

/** Matches a formula such as `=A1`, `=SUM(…)` or `=1+1`, but not `=== CLEAN ===`. */
const formula = /^=(?:$|[-+(]*(?:\$?[A-Z]{1,3}\$?\d|[A-Z][A-Z.]*\(|\d|"|'|[\w ]+!))/

/** Matches dates. Spreadsheet programs convert names such as the model 9-3 to a date. */
const dated =
  /^(?:\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2}|\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?)$/i
const namesOnly = new Set(['make', 'model', 'trim'])

export const isNoText = (cell: string): boolean => noText.test(cell)

function textFault(cell: string, name: string): string | undefined {
  if (formulaError.test(cell)) return `the ${name} is a formula error`
  if (formula.test(cell)) return `the ${name} is a formula without a result`
  if (name === 'city' && /^[\d\s-]+$/.test(cell)) return 'the city is a number'
  if (cell.includes('\ufffd')) return `the ${name} has characters that were lost when the file was saved`
  return namesOnly.has(name) && dated.test(cell) ? `the ${name} is shown as a date` : undefined
}

/** Reads a text cell. Keeps line breaks only in notes. Truncates and reports text that is too long. */
export function readText(cell: string, name: string, max: number): CellReading<string> {
  if (cell === '' || isNoText(cell)) return {}
  const fault = textFault(cell, name)
  if (fault !== undefined) return { fault }
  const text = name === 'notes' || !/\s[\s]|[^\S ]/.test(cell) ? cell : cell.replace(/\s+/g, ' ')
  if (text.length <= max) return { value: text }
  return { value: cutText(text, max), fault: `the ${name} was cut to ${max} characters` }
}
