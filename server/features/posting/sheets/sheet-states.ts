import { stateNames } from '#shared/places.ts'
import { isState } from '#shared/vehicle-rules.ts'

/** Abbreviations and French names that `stateNames` lacks, in lowercase without accents, periods or spaces. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AL: ['ala'], AK: ['alas'], AZ: ['ariz'], AR: ['ark'], CA: ['calif', 'cal', 'cali', 'californie'], CO: ['colo', 'col'],
  CT: ['conn'], DC: ['districtofcolumbia', 'washingtondc', 'washdc'], DE: ['del'],
  FL: ['fla', 'flor', 'floride'], GA: ['georgie'], HI: ['haw'], ID: ['ida'], IL: ['ill', 'ills'], IN: ['ind'],
  IA: ['iowa'], KS: ['kan', 'kans'], KY: ['ken', 'kent'], LA: ['louisiane'], ME: ['maine'], MD: ['mary'],
  MA: ['mass'], MI: ['mich'], MN: ['minn'], MS: ['miss'], MO: ['mo'], MT: ['mont'], NE: ['neb', 'nebr'],
  NV: ['nev'], NH: ['newh'], NJ: ['newj'], NM: ['nmex', 'newmex', 'nouveaumexique'], NY: ['newyorkstate'],
  NC: ['ncar', 'ncarolina', 'nocarolina', 'carolinedunord'], ND: ['nodak', 'ndak', 'ndakota', 'nodakota', 'dakotadunord'], OH: ['ohio'], OK: ['okla'], OR: ['ore', 'oreg'],
  PA: ['penn', 'penna', 'pennsylvanie'], RI: ['rhodeisl', 'rhodeis'], SC: ['scar', 'scarolina', 'socarolina', 'carolinedusud'],
  SD: ['sodak', 'sdak', 'sdakota', 'sodakota', 'dakotadusud'], TN: ['tenn'], TX: ['tex'], UT: ['utah'], VT: ['verm'], VA: ['virg', 'virginie'],
  WA: ['wash', 'washingtonstate'], WV: ['wva', 'wvirginia', 'westva', 'wvirg', 'virginieoccidentale'], WI: ['wis', 'wisc'],
  WY: ['wyo'], ON: ['ont'], BC: ['britcol', 'colombiebritannique'], AB: ['alta', 'alb'], SK: ['sask'], MB: ['man'],
  QC: ['que', 'queb', 'pq', 'qu'], NS: ['novasc', 'nouvelleecosse'], NB: ['newbr', 'nouveaubrunswick'],
  PE: ['pei', 'princeedwardis', 'ipe', 'ileduprinceedouard'], NL: ['nfldlab', 'nfld', 'nf', 'newfoundland', 'labrador', 'newfoundlandlabrador', 'terreneuve', 'terreneuveetlabrador'],
} // oxfmt-ignore

const codeOf = new Map([
  ...Object.entries(stateNames).map(([code, name]) => [keyOf(name), code] as const),
  ...Object.entries(otherNames).flatMap(([code, names]) => names.map((name) => [name, code] as const)),
])

const countries = new Set(['us', 'usa', 'unitedstates', 'unitedstatesofamerica', 'canada', 'can', 'etatsunis'])
const postalCode = /\b(?:\d{5}(?:-\d{4})?|[a-z]\d[a-z](?: ?\d[a-z]\d)?)\b/gi

function keyOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

function codeIn(part: string): string | undefined {
  const key = keyOf(part.replace(/^\s*(?:state|province) of /i, ''))
  const code = key.toUpperCase()
  return isState(code) ? code : codeOf.get(key)
}

/** Returns the state that follows a city or precedes a country without a comma: `Austin TX`, `TX USA`. */
function codeBehind(part: string): string | undefined {
  const words = part.trim().split(/\s+/)
  const rest = words.filter((word, index) => index === 0 || !countries.has(keyOf(word)))
  const [last = ''] = rest.slice(-1)
  if (rest.length < words.length && rest.length === 1) return codeIn(last)
  const isAlone = !rest.slice(0, -1).some((word) => isState(word) || /^(?:or|and|&)$/i.test(word))
  return rest.length > 1 && isAlone && /^[A-Z]{2}$/.test(last) && isState(last) ? last : undefined
}

/** Returns the state or province, even next to a country, postal code or city. Undefined if there is none or more than one. */
export function stateIn(cell: string): string | undefined {
  if (isState(cell)) return cell
  const text = cell.replace(postalCode, ' ').replace(/\(([^)]*)\)/g, ', $1')
  const whole = codeIn(text)
  if (whole !== undefined) return whole
  // `CA-ON` is Ontario: the country code comes first (ISO 3166-2).
  const coded = /^\s*(?:us|usa|ca|can)[-_:/\s]+([a-z]{2})\s*$/i.exec(text)?.[1]
  if (coded !== undefined) return codeIn(coded)
  const parts = text.split(/[,/|]| [-\u2013] /).filter((part) => keyOf(part) !== '' && !countries.has(keyOf(part)))
  return behindCity(parts) ?? onlyCode(parts.map((part) => codeIn(part) ?? codeBehind(part)))
}

/** `Washington, PA` is in Pennsylvania. Ignores `CA`, because `Ontario, CA` may be in California or Canada. */
function behindCity(parts: readonly string[]): string | undefined {
  const [city = '', last = '', ...more] = parts.map((part) => part.trim())
  const isCode = /^[A-Z]{2}$/.test(last) && last !== 'CA' && isState(last)
  return isCode && city.length > 2 && more.length === 0 ? last : undefined
}

function onlyCode(found: readonly (string | undefined)[]): string | undefined {
  const codes = new Set(found.filter((code) => code !== undefined))
  const others = found.filter((code) => code === undefined).length
  return codes.size === 1 && others <= 1 ? [...codes][0] : undefined
}
