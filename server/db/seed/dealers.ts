import { demoPeople, type DemoPerson } from '#server/features/auth/demo-accounts.ts'
import { cities, familyNames, givenNames, houseNames, houseWords } from './dealer-names.ts'
import { postalCodesOf } from './postal-codes.ts'
import type { Random } from './random.ts'

export interface DemoDealer extends DemoPerson {
  licenseNumber: string
  description: string
  website: string
  zip: string
  address: string
}

const abouts = [
  'Family run since {year}. We buy and sell {stock} across {state} and ship anywhere.',
  '{stock} specialists. Straight reads on condition, titles on the way within five days.',
  'Retail first, wholesale what ages past 60 days, mostly {stock} with clean history.',
  'Fleet and lease returns, {stock}. Every unit inspected on our own lift before it is listed.',
  'Volume wholesaler in {city}: 80 to 100 units a month, {stock}, floor plan friendly.',
]
const stocks = [
  'trucks and SUVs',
  'late-model imports',
  'off-lease sedans',
  'work vans and pickups',
  'domestic crossovers',
]
const streets = [
  'Industrial Blvd',
  'Commerce St',
  'Airport Rd',
  'Auto Mall Pkwy',
  'Highway 75',
  'Main St',
  'Frontage Rd',
]

/** Returns the demo's fixed people, then generated dealers, `count` dealers in total. */
export function makeDealers(random: Random, count: number): DemoDealer[] {
  const dealers = demoPeople.map((account) => complete(random, account))
  const seen = new Set(dealers.map(({ email }) => email))
  while (dealers.length < count) {
    const account = invent(random)
    if (seen.has(account.email)) continue
    seen.add(account.email)
    dealers.push(complete(random, account))
  }
  return dealers
}

function invent(random: Random): DemoPerson {
  const name = `${random.pick(givenNames)} ${random.pick(familyNames)}`
  const family = name.split(' ').at(-1) ?? name
  const [city, state, areaCode] = random.pick(cities)
  const dealershipName = random
    .pick(houseNames)
    .replace('{family}', family)
    .replace('{city}', city)
    .replace('{word}', random.pick(houseWords))
  const host = dealershipName.toLowerCase().replace(/[^a-z0-9]+/g, '')
  const given = name.split(' ')[0] ?? name
  return {
    email: `${given.toLowerCase().replace(/[^a-z]/g, '')}@${host}.example`,
    name,
    dealershipName,
    dealershipType: random.pick(['independent', 'independent', 'franchise', 'wholesaler']),
    city,
    state,
    phone: `(${areaCode}) 555-${String(random.int(100, 199)).padStart(4, '0')}`,
    role: 'dealer',
  }
}

function complete(random: Random, account: DemoPerson): DemoDealer {
  const about = random
    .pick(abouts)
    .replace('{year}', String(random.int(1978, 2016)))
    .replace('{stock}', random.pick(stocks))
    .replace('{state}', account.state)
    .replace('{city}', account.city)
  return {
    ...account,
    licenseNumber: `${account.state}-${random.int(10_000, 99_999)}`,
    description: about.charAt(0).toUpperCase() + about.slice(1),
    website: `https://${account.email.split('@')[1] ?? 'dealer.example'}`,
    zip: random.pick(postalCodesOf(account.city, account.state)),
    address: `${random.int(100, 9_800)} ${random.pick(streets)}`,
  }
}
