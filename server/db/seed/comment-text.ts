import { exchanges, remarks } from './comment-phrases.ts'
import type { DemoDealer } from './dealers.ts'
import { bodyWords } from './post-phrases.ts'
import { dollars, fill } from './post-text.ts'
import type { Random } from './random.ts'
import type { DemoVehicle } from './vehicles.ts'

/** One line of a thread, spoken by a dealer. */
export interface CommentLine {
  dealer: DemoDealer
  content: string
}

const months = ['March 2023', 'June 2022', 'January 2024', 'September 2023', 'May 2021']

/** A thread under a post: questions with the seller's answers, and remarks by passers-by; about `length` lines. */
export function writeThread(
  random: Random,
  seller: DemoDealer,
  readers: readonly DemoDealer[],
  vehicle: DemoVehicle,
  length: number,
): CommentLine[] {
  const topics = random.sample(exchanges, length)
  const asides = random.sample(remarks, length)
  const lines: CommentLine[] = []
  while (lines.length < length) {
    const reader = random.pick(readers)
    const slots = slotsFor(random, seller, reader, vehicle)
    const topic = topics.pop()
    if (topic && random.chance(0.72)) {
      lines.push({ dealer: reader, content: openers(random, fill(random.pick(topic.asks), slots), slots) })
      if (random.chance(0.75)) lines.push({ dealer: seller, content: fill(random.pick(topic.answers), slots) })
    } else {
      lines.push({ dealer: reader, content: fill(asides.pop() ?? 'Following.', slots) })
    }
  }
  return lines.slice(0, length)
}

/** Some dealers greet before they ask, some thank before they leave, most do neither. */
function openers(random: Random, question: string, slots: Record<string, string>): string {
  if (random.chance(0.55)) return question
  const opener = fill(
    random.pick([
      '{seller}, quick one.',
      'Morning {seller}.',
      'Hey {seller}.',
      'Interested.',
      '{city} buyer here.',
      'For a retail customer:',
      'Hi from {city}.',
      'Before I bid:',
    ]),
    slots,
  )
  return random.chance(0.25) ? `${question} Thanks, ${slots['seller'] ?? 'all'}.` : `${opener} ${question}`
}

function slotsFor(
  random: Random,
  seller: DemoDealer,
  reader: DemoDealer,
  vehicle: DemoVehicle,
): Record<string, string> {
  const offer = Math.round((vehicle.priceCents * (0.9 + random.next() * 0.06)) / 10_000) * 10_000
  const counter = Math.round((offer + vehicle.priceCents) / 2 / 5_000) * 5_000
  return {
    model: vehicle.model,
    body: bodyWords[vehicle.body] ?? 'units',
    city: reader.city,
    state: seller.state,
    seller: seller.name.split(' ')[0] ?? seller.name,
    offer: dollars(offer),
    counter: dollars(counter),
    month: random.pick(months),
  }
}
