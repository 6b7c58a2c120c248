import { vinLength } from '#shared/limits.ts'
import type { SheetField } from '#shared/schemas/posting.ts'
import type { Unit } from './sheet-cells.ts'
import { visibleText } from './sheet-words.ts'

/** Column names in English, French, Spanish and German, without spaces, punctuation or accents. */
const names: Record<Exclude<SheetField, 'price'>, string> = {
  vin: `vin vins vinno vinnos vinnum vinnumber vinnbr vincode vin17 vin17digit vin17digits 17digitvin fullvin completevin vinfull vincomplete vinid vinorserial vehicleidno vehicleidnumber
    fin fahrgestellnummer fahrgestellnr fahrzeugidentifizierungsnummer fahrzeugidentnummer numerodevin vinserial vinserialnumber serial serialno serialnumber serialnum
    chassis chassisno chassisnumber identificationnumber identificationno niv noniv numeroniv numerodeserie nodeserie ndeserie noserie numerodechassis`,
  year: 'ano anodelmodelo anomodelo baujahr modelljahr jahr modyr year yr modelyear modelyr mdlyr yrmdl mdlyear yearmodel yrmodel yearofvehicle my annee anneemodele anneedumodele yearofmanufacture',
  make: 'make mk makename makedescription makedesc manufacturer manufacturername mfr mfg mfgr brand brandname marque marca marke hersteller fabricant fabricante',
  model:
    'model modelname modeldescription modeldesc mdl mdlname modele modelo modell nomdumodele modeltrim modelandtrim modelline carline nameplate',
  trim: `trim trimname trimlevel trimstyle styletrim trimseries trimdescription trimdesc trimpackage series seriesname style stylename styledescription submodel
    trimlvl trimseries seriestrim trimpkg trimline variant variante version edition finition niveaudefinition serie`,
  mileage: `mileage mileagevalue mileagereading milage miles mi odometer odometervalue odometerreading odometermiles odomiles odomi
    odometermi odo odom odoreading currentmileage currentmiles currentodometer milesodometer mileagemi mileagemiles totalmiles
    kilometrage kilometragereel millage odometre compteur km kms kilometers kilometres kilometer kilometre odometerkm odometerkms
    odometerkilometers odokm mileagekm mileagekms mileagekilometers kmodometer kmreading`,
  distanceUnit: `odometerunit odometerunits odometeruom odometerunitofmeasure odounit odounits mileageunit mileageunits mileageuom mileageunitofmeasure
    mileageunittype distanceunit distanceunits milesorkm milesorkilometers miorkm kmormi kmormiles milesorkms unitofdistance unitedistance`,
  color: `farbe aussenfarbe colorexterior colordesc colordescription exteriorcolordesc extcolordesc primarycolor maincolor color colour colorname clr exteriorcolor exteriorcolour exteriorcolorname exteriorcolordescription genericexteriorcolor exteriorbasecolor exteriorcolorgeneric extcolorgeneric exterior exteriorclr
    extcolor extcolour extclr extcol ext extcolorname extcolordescription colorexterior colorext colourexterior bodycolor bodycolour
    bodyclr paint paintcolor paintcolour outsidecolor exteriorpaint couleur couleurexterieure couleurext couleurexterieur
    couleurcarrosserie`,
  city: `ciudad ort stadt towncity citystate citystateprovince citystatezip citystprov cityst city town citytown cityname dealercity dealershipcity dealertown lotcity locationcity storecity sellercity pickupcity pickuplocationcity ville
    villeduconcessionnaire`,
  state: `state st statecode stateabbr stateabbreviation dealerst statename province prov provincecode stateprovince stateprov provincestate provstate stprov stateorprovince
    dealerstate dealershipstate dealerprovince locationstate lotstate storestate sellerstate pickupstate pickuplocationstate etat provinceetat etatprovince`,
  notes: `notes note comments comment dealercomments dealercomment dealernotes sellernotes sellercomments description webdescription
    internetdescription internetcomments inventorycomments webaddescription sellerannouncements publicnotes sellerdescription desc addescription adtext webcomments longdescription announcements announcement condition conditionnotes remarks memo
    commentaires commentaire remarques remarque`,
  location: `location lot lotlocation lotname yard currentlocation stocklocation storelocation physicallocation dealerlocation pickuplocation ubicacion emplacement`,
}

/** Words in price headings, best first. If a sheet has several price columns, they are tried in this order. */
const priceRanks = [
  'wholesale wholesaleask wholesaleasking whsl whls whlse whsle ws b2b dealer dealertodealer d2d trade degros gros',
  'asking ask our your ourasking dealerasking seller offer lot current currentask courant now buynow buyitnow bin unit demande demandee affiche',
  'selling sell sale sales special promo promotional discount discounted comptant final net cash best nohaggle vente devente solde',
  'internet web website internetspecial online e i posted published advertised advertising advert adv ad annonce enligne',
  'list listed listing liste deliste',
  'retail retailask retailasking detail dedetail',
].map((words) => words.split(' '))

/** Words that mean a price even without the word "price". */
const barePrices = new Set(
  'wholesale wholesaleask wholesaleasking whsl whls whlse whsle asking ask ourasking dealerasking currentask buynow buyitnow selling sell internet internetspecial advertised list retail retailask'.split(
    ' ',
  ),
)
const plainPriceRank = 1
const plainPrices =
  'price prix prices priceamount precio preciodeventa preis verkaufspreis angebotspreis vkpreis bruttopreis nettopreis handlerpreis pricevalue'.split(
    ' ',
  )

/** A heading made up of these words, in any order, names a mileage column. It may also contain `mileageFillers`. */
const mileageWords = new Set(
  `mileage milage miles mile mi mlg mlge odometer odo odom odometro compteur kilometrage kilometerstand laufleistung tachostand kilometraje millaje millas
    km kms kilometer kilometers kilometre kilometres`.split(/\s+/),
)
const mileageFillers = new Set(
  'current actual total reading value driven recorded exact verified in on au no rdg'.split(' '),
)

const columnOf = new Map(
  (Object.entries(names) as [SheetField, string][]).flatMap(([column, list]) =>
    list.split(/\s+/).map((name) => [name, column] as const),
  ),
)

const rankOf = new Map<string, number>([
  ...plainPrices.map((name) => [name, plainPriceRank] as const),
  ...priceRanks.flatMap((words, rank) =>
    words.flatMap((word) =>
      [
        `${word}price`,
        `${word}prices`,
        `${word}priceamount`,
        `price${word}`,
        `prix${word}`,
        ...(barePrices.has(word) ? [word, `${word}amount`] : []),
      ].map((name) => [name, rank] as const),
    ),
  ),
])

interface Heading {
  column: SheetField
  /** The column with the lowest rank is tried first. */
  rank: number
  unit: Unit
  /** True if the heading of a price or mileage column has unknown words in parentheses. */
  isDoubtful?: boolean
}

const currencyWords: Readonly<Record<string, string>> = {
  cad: 'Canadian dollars',
  cdn: 'Canadian dollars',
  ca: 'Canadian dollars',
  eur: 'euros',
  euro: 'euros',
  euros: 'euros',
  gbp: 'pounds',
  mxn: 'Mexican pesos',
}

/** A heading with one of these words in parentheses is ignored: `Price (MSRP)`, `Color (Int)`. */
const others = new Set(
  `msrp cost costs invoice book kbb nada mmr old was original reserve floor start int interior inside internal code id estimated est
    monthly month payment payments deposit down previous prior last avg average competitor competitors sold purchase purchased paid bought
    cents tradein target minimum min maximum max suggested sticker`.split(/\s+/),
)

/** In parentheses, these words do not change the meaning of a price or a mileage. */
const neutralWords = new Set(
  `usd us cad cdn ca eur euro euros gbp mxn dollar dollars k s 000 000s 1000 1000s 1 x thousand thousands in mi mile miles km kms kilometer
    kilometers kilometre kilometres kilometrage actual total current required optional whole number numbers only no each per unit asking
    ask wholesale retail internet web online list listed selling sale dealer d2d our final net obo excl excluding incl including plus tax
    taxes fees firm approx odometer odo reading price prix mileage vehicle car`.split(/\s+/),
)

const knownHeadings = new Map<string, Heading | undefined>()
const knownMax = 5_000
const headingMax = 120

function headingOf(text: string): Heading | undefined {
  if (text.length > headingMax || !/[\p{L}$]/u.test(text)) return undefined
  if (knownHeadings.has(text)) return knownHeadings.get(text)
  const heading = readHeading(text)
  if (knownHeadings.size < knownMax) knownHeadings.set(text, heading)
  return heading
}

function readHeading(numbered: string): Heading | undefined {
  const text = numbered.replace(/^\s*(?:\(\d{1,2}\)|\d{1,2}[.)]|[A-Z][.)])\s+/, '')
  return nameOf(text) ?? bilingual(text)
}

/** Handles headings in two languages, such as `Prix / Price`. Both must name the same column. */
function bilingual(text: string): Heading | undefined {
  if (!/[/|\n]/.test(text)) return undefined
  const [first, ...others] = text.split(/[/|\n]/).map(nameOf)
  return others.every((other) => other?.column === first?.column) ? first : undefined
}

function nameOf(text: string): Heading | undefined {
  const { words, inside } = headingWords(text)
  if (inside.some((word) => others.has(word))) return undefined
  const whole = words.join('') + inside.join('')
  const name = [whole, ...variantsOf(words)].find((variant) => rankOf.has(variant) || columnOf.has(variant)) ?? ''
  const meaning = rankOf.has(name) ? 'price' : (columnOf.get(name) ?? (isMileage(words) ? 'mileage' : undefined))
  if (meaning !== 'price' && meaning !== 'mileage') return meaning && { column: meaning, rank: 0, unit: {} }
  // A name that is known as a whole, including its parentheses, is not doubtful.
  const isDoubtful = name !== whole && inside.some((word) => !neutralWords.has(word))
  const rank = onlyDollars.test(text) ? dollarsRank : (rankOf.get(name) ?? 0)
  return amountHeading(meaning, { text, rank, isDoubtful })
}

function amountHeading(
  column: 'price' | 'mileage',
  { text, rank, isDoubtful }: { text: string; rank: number; isDoubtful: boolean },
): Heading {
  const unit = unitOf(text)
  const isForeign = column === 'price' && unit.currency !== undefined
  const behind = (isDoubtful ? doubtfulRank : 0) + (isForeign ? foreignRank : 0)
  return { column, rank: rank + behind, unit, ...(isDoubtful && { isDoubtful }) }
}

const headingWords = (text: string) => ({
  words: onlyDollars.test(text) ? ['price'] : wordsOf(text.replace(inBrackets, ' ')),
  inside: wordsOf((text.match(inBrackets) ?? []).join(' ')),
})

const isMileage = (words: readonly string[]): boolean =>
  words.some((word) => mileageWords.has(word)) &&
  words.every((word) => mileageWords.has(word) || mileageFillers.has(word))

/** A column named only `$` may be a price, but ranks behind columns with an explicit price heading. */
const onlyDollars = /^\s*\$+\s*$/
const dollarsRank = 40

const doubtfulRank = 100
const foreignRank = 50

const inBrackets = /\([^)]*\)|\[[^\]]*\]/g

/** Splits `VehicleVIN` and `vehicle_vin` into two words. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/__c$/i, '')
    .replace(/#/g, ' no ')
    .replace(/ß/g, 'ss')
    .replace(/€/g, ' eur ')
    .replace(/£/g, ' gbp ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')

/** Some exports put these words before a column name, as in `Vehicle Info - Year` and `pricing.asking`. */
const groupWords = new Set('vehicle veh v info information details pricing inventory listing item'.split(' '))

/** Returns lookup keys for a heading: the whole text, then variants without `vehicle`, section, currency or repeat number. */
function variantsOf(words: readonly string[]): string[] {
  const key = words.join('')
  const bare = key.replace(/^(?:the|vehicle|vehicule|veh|car|auto|unit)(?=.)/, '')
  const short = bare.replace(/(?:vehicle|vehicule|duvehicule)$/, '')
  const coin = short.replace(/(?:incad|inusd|usd|cad|cdn|eur|gbp|us|dollars?)$/, '').replace(/^(?:usd|cad|cdn|us)/, '')
  const own = words
    .slice(
      Math.max(
        0,
        words.findIndex((word) => !groupWords.has(word)),
      ),
    )
    .join('')
  return [key, bare, short, coin, own, key.replace(/[1-3]$/, '')]
}

/** Returns the unit that a heading names, such as `Price (000s CAD)`. */
export function unitOf(text: string): Unit {
  const { words, inside } = headingWords(text)
  const all = [...words, ...inside]
  const bracketed = (text.match(inBrackets) ?? []).join(' ').toLowerCase()
  const thousands = /(?:^|[^\d])(?:x?\s?1?,?000'?s?|(?<![a-z])(?:thousands?|k))(?:$|[^a-z\d])/.test(bracketed)
  const currency = all.map((word) => currencyWords[word]).find((name) => name !== undefined)
  return {
    ...distanceOf(all, words.join('')),
    ...(thousands && { thousands }),
    ...(currency !== undefined && { currency }),
  }
}

const kilometers = /^(?:kms?|kilomet(?:er|re)s?)$/
const inMiles = /^(?:mi|miles?|millas)$/

function distanceOf(words: readonly string[], key: string): Pick<Unit, 'distance'> {
  if (words.some((word) => kilometers.test(word)) || /km(?:s|reading)?$|kilomet(?:er|re)s$|kilometerstand$/.test(key))
    return { distance: words.some((word) => inMiles.test(word)) ? 'km or miles' : 'km' }
  // These French, Spanish and German words mean mileage in any unit.
  return /^(?:kilometra[gj]e|laufleistung|tachostand)/.test(key) ? { distance: 'km outside the US' } : {}
}

export interface ReadColumn {
  index: number
  heading: string
  unit: Unit
  currencyAt?: number
  /** True if the column's cells describe a whole vehicle, such as `2019 Honda Accord`. */
  isDescription?: boolean
  isDoubtful?: boolean
}

/** The columns of each field, in the order in which they are tried. */
export type Columns = ReadonlyMap<SheetField, readonly ReadColumn[]>

export function mapColumns(row: readonly string[]): Columns {
  const found = row.flatMap((text, index) => {
    const heading = headingOf(text)
    return heading === undefined ? [] : [{ ...heading, index, heading: visibleText(text) }]
  })
  const columns = new Map<SheetField, ReadColumn[]>()
  for (const { column, rank: _rank, ...read } of found.toSorted((a, b) => a.rank - b.rank || a.index - b.index))
    columns.set(column, [...(columns.get(column) ?? []), read])
  const prices = columns.get('price') ?? []
  const currencyAt = prices.length === 0 ? -1 : row.findIndex((text) => currencyNames.has(wordsOf(text).join('')))
  if (currencyAt >= 0) for (const price of prices) price.currencyAt = currencyAt
  return withUnits(columns)
}

const currencyNames = new Set('currency currencycode pricecurrency curr devise moneda wahrung'.split(' '))

/** Next to a mileage column, a `Miles/KM` column holds the unit. Alone, it holds mileages in an unknown unit. */
function withUnits(columns: Map<SheetField, ReadColumn[]>): Columns {
  const mileages = columns.get('mileage') ?? []
  const [units, numbers] = [true, false].map((isUnit) =>
    mileages.filter(({ unit }) => (unit.distance === 'km or miles') === isUnit),
  )
  if (!units?.length || !numbers?.length) return columns
  return columns.set('mileage', numbers).set('distanceUnit', [...(columns.get('distanceUnit') ?? []), ...units])
}

const descriptionNames = new Set(
  'yearmakemodel yrmakemodel ymm ymmt yearmakemodeltrim makemodel makeandmodel makemodeltrim makemodelyear anneemarquemodele marquemodele'.split(
    ' ',
  ),
)
/** These names may also be the title of a sheet. On their own, they do not make a row a heading row. */
const looseNames = new Set('vehicle vehicles vehicule unit car vehicleinfo vehicleinformation'.split(' '))

const isDescription = (text: string): boolean => descriptionNames.has(wordsOf(text).join(''))

/**
 * Uses a description column such as `2019 Honda Accord` for each of year, make and model that has no column of its own.
 * @param describes returns whether the cells of a column describe vehicles; needed for ambiguous names such as `Vehicle`
 */
export function withDescriptions(
  columns: Columns,
  row: readonly string[],
  describes: (index: number) => boolean = () => false,
): Columns {
  const index = row.findIndex(
    (text, at) => isDescription(text) || (looseNames.has(wordsOf(text).join('')) && describes(at)),
  )
  const described: ReadColumn[] = [{ index, heading: visibleText(row[index] ?? ''), unit: {}, isDescription: true }]
  const missing = (['year', 'make', 'model'] as const).filter((name) => !columns.has(name))
  if (index < 0 || missing.length === 0 || (columns.has('make') && columns.has('model'))) return columns
  return new Map<SheetField, readonly ReadColumn[]>([...columns, ...missing.map((name) => [name, described] as const)])
}

const fullVin = new RegExp(`^[A-HJ-NPR-Z0-9]{${vinLength}}$`)

export function isHeading(row: readonly string[]): boolean {
  if (row.some((cell) => fullVin.test(cell))) return false
  const columns = mapColumns(row)
  const isAlone = columns.size === 1 && row.filter((cell) => cell.trim() !== '').length === 1
  if (columns.has('vin')) return columns.size > 1 || isAlone
  return (columns.has('make') && columns.has('model')) || (columns.size > 0 && row.some(isDescription))
}

/** True for a cell in the second row of a heading that names only the unit, such as `miles` or `USD`. */
export const isUnitName = (text: string): boolean => {
  const words = wordsOf(text)
  return words.length > 0 && words.every((word) => neutralWords.has(word))
}

/** True if a row below the first heading row is another heading row. A single known name is not enough, because it may be data. */
export const beginsColumns = (row: readonly string[]): boolean => isHeading(row) && mapColumns(row).size > 1

export function isMostlyNames(row: readonly string[]): boolean {
  const texts = row.filter((cell) => cell.trim() !== '')
  return texts.filter((cell) => headingOf(cell) !== undefined).length * 2 >= texts.length
}

const fewNames = 3

export const isAllNames = (row: readonly string[]): boolean =>
  mapColumns(row).size >= fewNames && row.every((cell) => cell.trim() === '' || headingOf(cell) !== undefined)

/** Matches headings of amounts that we do not read. Their numbers may also contain thousands separators. */
const amounts = /pri[cx]|msrp|cost|invoice|value|payoff|book|retail|wholesale|reserve|balance/i

/** Returns the columns with amounts. In unquoted text, a thousands separator may have split these numbers. */
export function amountColumns(heading: readonly string[]): ReadonlySet<number> {
  const columns = mapColumns(heading)
  const read = new Set([...columns.values()].flat().map(({ index }) => index))
  const own = ['price', 'mileage'] as const
  const mapped = own.flatMap((name) => (columns.get(name) ?? []).map(({ index }) => index))
  const others = heading.flatMap((name, index) => (!read.has(index) && amounts.test(name) ? [index] : []))
  return new Set([...mapped, ...others])
}

export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}
