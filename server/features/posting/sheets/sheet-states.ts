import { stateNames } from '#shared/places.ts'
import { isState } from '#shared/vehicle-rules.ts'

/** Abbreviations and French names in addition to `stateNames`, without accents, periods and spaces. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AL: ['ala'], AK: ['alas'], AZ: ['ariz'], AR: ['ark'], CA: ['calif', 'cal', 'californie'], CO: ['colo', 'col'],
  CT: ['conn'], DC: ['districtofcolumbia', 'washingtondc', 'washdc'], DE: ['del'],
  FL: ['fla', 'flor', 'floride'], GA: ['georgie'], HI: ['haw'], ID: ['ida'], IL: ['ill', 'ills'], IN: ['ind'],
  IA: ['iowa'], KS: ['kan', 'kans'], KY: ['ken', 'kent'], LA: ['louisiane'], ME: ['maine'], MD: ['mary'],
  MA: ['mass'], MI: ['mich'], MN: ['minn'], MS: ['miss'], MO: ['mo'], MT: ['mont'], NE: ['neb', 'nebr'],
  NV: ['nev'], NH: ['newh'], NJ: ['newj'], NM: ['nmex', 'newmex', 'nouveaumexique'], NY: ['newyorkstate'],
  NC: ['ncar', 'ncarolina', 'nocarolina', 'carolinedunord'], ND: ['ndak', 'ndakota', 'nodakota', 'dakotadunord'], OH: ['ohio'], OK: ['okla'], OR: ['ore', 'oreg'],
  PA: ['penn', 'penna', 'pennsylvanie'], RI: ['rhodeisl'], SC: ['scar', 'scarolina', 'socarolina', 'carolinedusud'],
  SD: ['sdak', 'sdakota', 'sodakota', 'dakotadusud'], TN: ['tenn'], TX: ['tex'], UT: ['utah'], VT: ['verm'], VA: ['virg', 'virginie'],
  WA: ['wash', 'washingtonstate'], WV: ['wva', 'wvirginia', 'westva', 'wvirg', 'virginieoccidentale'], WI: ['wis', 'wisc'],
  WY: ['wyo'], ON: ['ont'], BC: ['britcol', 'colombiebritannique'], AB: ['alta', 'alb'], SK: ['sask'], MB: ['man'],
  QC: ['que', 'pq', 'qu'], NS: ['novasc', 'nouvelleecosse'], NB: ['newbr', 'nouveaubrunswick'],
  PE: ['pei', 'princeedwardis', 'ipe', 'ileduprinceedouard'], NL: ['nfld', 'nf', 'newfoundland', 'labrador', 'newfoundlandlabrador', 'terreneuve', 'terreneuveetlabrador'],
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

/** Returns the state or province, even beside a country, postal code or city. Undefined if there is none or several. */
export function stateIn(cell: string): string | undefined {
  if (isState(cell)) return cell
  const text = cell.replace(postalCode, ' ').replace(/\(([^)]*)\)/g, ', $1')
  const whole = codeIn(text)
  if (whole !== undefined) return whole
  // `CA-ON` is Ontario: the country code comes first (ISO 3166-2).
  const coded = /^\s*(?:us|usa|ca|can)[-_:/\s]+([a-z]{2})\s*$/i.exec(text)?.[1]
  if (coded !== undefined) return codeIn(coded)
  const parts = text
    .split(/[,/|]| - /)
    .filter((part) => keyOf(part) !== '' && !countries.has(keyOf(part)))
    .map(codeIn)
  const codes = new Set(parts.filter((code) => code !== undefined))
  const others = parts.filter((code) => code === undefined).length
  return codes.size === 1 && others <= 1 ? [...codes][0] : undefined
}
