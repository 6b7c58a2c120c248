import { exchanges, type Exchange, remarks } from './comment-phrases.ts'
import type { DemoDealer } from './dealers.ts'
import { bodyWords } from './post-phrases.ts'
import { dollars, fill, type PostText } from './post-text.ts'
import type { Random } from './random.ts'
import { pickAgreeing } from './agreeing-phrases.ts'
import type { DemoVehicle } from './vehicles.ts'

export type Speaker = Pick<DemoDealer, 'name' | 'city' | 'state'>

/** The subject of a thread. `vehicle` is the post's first vehicle, whose facts the comments use. */
export interface Topic {
  seller: Speaker
  text: PostText
  vehicle: Pick<DemoVehicle, 'year' | 'model' | 'priceCents'> & Partial<Pick<DemoVehicle, 'body'>>
  vehicleCount: number
  thisYear: number
}

export interface CommentLine<Dealer> {
  dealer: Dealer
  content: string
}

export function writeThread<Dealer extends Speaker>(
  random: Random,
  topic: Topic & { seller: Dealer },
  readers: readonly Dealer[],
  length: number,
): CommentLine<Dealer>[] {
  const lines: CommentLine<Dealer>[] = []
  const written = () => lines.map(({ content }) => content)
  while (lines.length < length) {
    const reader = random.pick(readers)
    const content = writeComment(random, topic, reader, written())
    lines.push({ dealer: reader, content })
    if (!content.includes('?') && !random.chance(0.3)) continue
    const answer = random.chance(0.75) ? writeAnswer(random, topic, reader, content, written()) : undefined
    if (answer !== undefined) lines.push({ dealer: topic.seller, content: answer })
  }
  return lines.slice(0, length)
}

function isAskable({ vehicle, vehicleCount, thisYear }: Topic, { asks }: Exchange): boolean {
  const age = thisYear - vehicle.year
  return !asks.some((ask) => /CPO/.test(ask)) || (vehicleCount === 1 && age >= 2 && age <= 4)
}

/** Some phrases fit only packages of vehicles, and some only single vehicles. */
const isOfPackage = (phrase: string) => /\bthese have\b|split this package|next batch/.test(phrase)
const isOfSingle = (phrase: string) => /^(Is this|Did the|Hold it|Sold one)|this color/i.test(phrase)

const suits =
  ({ vehicleCount }: Topic) =>
  (phrase: string) =>
    vehicleCount === 1 ? !isOfPackage(phrase) : !isOfSingle(phrase)

const textOf = ({ text }: Topic, written: readonly string[]): string =>
  [text.title, text.description, ...written].join(' ')

/** Returns a comment that the thread does not contain yet. Most comments are questions. */
export function writeComment(random: Random, topic: Topic, reader: Speaker, written: readonly string[]): string {
  const slots = slotsFor(random, topic, reader)
  const before = textOf(topic, written)
  const isNew = (phrase: string) => !written.some((line) => matcherOf(phrase).test(line))
  if (random.chance(0.72)) {
    const open = exchanges.filter((exchange) => isAskable(topic, exchange) && exchange.asks.every(isNew))
    const asks = open.length === 0 ? [] : random.pick(open).asks.filter(suits(topic))
    const ask = pickAgreeing(random, asks, before)
    if (ask !== undefined) return openers(random, fill(ask, slots), slots)
  }
  const fresh = remarks.filter((remark) => isNew(remark) && suits(topic)(remark))
  return fill(pickAgreeing(random, fresh, before) ?? 'Following.', slots)
}

/** Returns the seller's answer, or undefined if the question is not one of the demo's phrases or no answer fits. */
export function writeAnswer(
  random: Random,
  topic: Topic,
  reader: Speaker,
  question: string,
  written: readonly string[],
): string | undefined {
  const exchange = exchanges.find(({ asks }) => asks.some((ask) => matcherOf(ask).test(question)))
  if (exchange === undefined) return undefined
  const answer = pickAgreeing(random, exchange.answers, textOf(topic, written))
  return answer && fill(answer, slotsFor(random, topic, reader))
}

const matchers = new Map<string, RegExp>()

/** Returns a pattern that matches the phrase with any values in its slots. */
function matcherOf(phrase: string): RegExp {
  const known = matchers.get(phrase)
  if (known !== undefined) return known
  const escaped = phrase.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const matcher = new RegExp(escaped.replace(/\{\w+\}/g, '.+?'))
  matchers.set(phrase, matcher)
  return matcher
}

function openers(random: Random, question: string, slots: Record<string, string>): string {
  if (random.chance(0.55)) return question
  const opener = fill(
    random.pick([
      '{seller}, quick one.',
      'Hello {seller}.',
      'Hey {seller}.',
      'Interested.',
      '{city} buyer here.',
      'For a retail customer:',
      'Hi from {city}.',
    ]),
    slots,
  )
  return random.chance(0.25) ? `${question} Thanks, ${slots['seller'] ?? 'all'}.` : `${opener} ${question}`
}

const firstMonths = ['August', 'September', 'October', 'November']

function slotsFor(random: Random, { seller, vehicle }: Topic, reader: Speaker): Record<string, string> {
  const offer = Math.round((vehicle.priceCents * (0.9 + random.next() * 0.06)) / 10_000) * 10_000
  const counter = Math.round((offer + vehicle.priceCents) / 2 / 5_000) * 5_000
  return {
    model: vehicle.model,
    body: (vehicle.body && bodyWords[vehicle.body]) ?? 'units',
    city: reader.city,
    state: seller.state,
    seller: seller.name.split(' ')[0] ?? seller.name,
    offer: dollars(offer),
    counter: dollars(counter),
    // Dealers sell a model year from the fall of the previous year.
    month: `${random.pick(firstMonths)} ${vehicle.year - 1}`,
  }
}
