import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { idAt } from './ids.ts'
import { dayMs, findKnown, type KnownDealer } from './known-dealers.ts'
import type { Random } from './random.ts'

export interface DemoConnections {
  /** Each connection has two entries, one per direction. */
  pairs: { dealerId: string; otherId: string; createdAt: Date }[]
  requests: { id: string; requesterId: string; dealerId: string; createdAt: Date }[]
  profileViews: { dealerId: string; viewerId: string; day: string }[]
}

const connectionsPerDealer = 22
const connectionsOfDana = 118
const requestsToDana = 5
const otherRequests = 140

/** Dana is connected with the demo's named dealers. Dealers whose request to Dana is open have no connections yet. */
export function makeConnections(random: Random, dealers: readonly KnownDealer[], now: Date): DemoConnections {
  const people = dealers.filter(({ role }) => role === 'dealer')
  const dana = findKnown(people, danaEmail)
  const named = people.slice(1, 12)
  const strangers = random.sample(people.slice(12), requestsToDana + 40)
  const asking = new Set(strangers.slice(0, requestsToDana))
  const known = new Set<string>()
  const pairs: DemoConnections['pairs'] = []
  const connect = (one: KnownDealer, other: KnownDealer) => {
    const key = [one.id, other.id].toSorted().join()
    if (one.id === other.id || known.has(key)) return
    known.add(key)
    const createdAt = new Date(now.getTime() - random.next() ** 2 * 400 * dayMs)
    pairs.push({ dealerId: one.id, otherId: other.id, createdAt }, { dealerId: other.id, otherId: one.id, createdAt })
  }
  const later = people.filter((person) => person !== dana && !asking.has(person))
  for (const friend of named.slice(0, 9)) connect(dana, friend)
  for (const friend of random.sample(later, connectionsOfDana)) connect(dana, friend)
  for (const person of later)
    for (const friend of random.sample(later, random.int(4, connectionsPerDealer))) connect(person, friend)
  return {
    pairs,
    requests: makeRequests(random, dana, [...asking], later, known, now),
    profileViews: makeViews(random, people, now),
  }
}

function makeRequests(
  random: Random,
  dana: KnownDealer,
  asking: readonly KnownDealer[],
  others: readonly KnownDealer[],
  known: ReadonlySet<string>,
  now: Date,
): DemoConnections['requests'] {
  const requests: DemoConnections['requests'] = []
  const asked = new Set<string>()
  const ask = (requester: KnownDealer, dealer: KnownDealer) => {
    const key = [requester.id, dealer.id].toSorted().join()
    if (requester.id === dealer.id || known.has(key) || asked.has(key)) return
    asked.add(key)
    const createdAt = new Date(now.getTime() - random.next() * 12 * dayMs)
    requests.push({ id: idAt(random, createdAt), requesterId: requester.id, dealerId: dealer.id, createdAt })
  }
  for (const requester of asking) ask(requester, dana)
  for (let index = 0; index < otherRequests; index++) ask(random.pick(others), random.pick(others))
  return requests
}

function makeViews(random: Random, people: readonly KnownDealer[], now: Date): DemoConnections['profileViews'] {
  return people.flatMap((dealer, index) =>
    random
      .sample(people, index < 12 ? 90 : random.int(2, 14))
      .filter(({ id }) => id !== dealer.id)
      .map(({ id }) => ({
        dealerId: dealer.id,
        viewerId: id,
        day: new Date(now.getTime() - random.next() * 30 * dayMs).toISOString().slice(0, 10),
      })),
  )
}
