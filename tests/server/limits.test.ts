import t from 'tap'
import { startApp } from '#tests/support/app.ts'

const app = await startApp(t, { RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
const from = (address: string) => ({ 'x-forwarded-for': address })

/** A few at a time: on a busy machine Redis would be late for all of them at once, and each process count for itself. */
async function inTurn<T>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  while (answers.length < count) {
    const some = Math.min(10, count - answers.length)
    answers.push(...(await Promise.all(Array.from({ length: some }, (_, n) => ask(answers.length + n)))))
  }
  return answers
}

t.test('calls are counted by address, of IPv6 by the network of one line', async (t) => {
  const [max, more] = [60, 5]
  const heard = async (claim: (call: number) => string) => {
    const calls = await inTurn(max + more, (n) => app.visitor.get('/api/wire', undefined, from(claim(n))))
    return calls.filter(({ status }) => status === 200).length
  }
  t.equal(await heard((n) => `198.51.100.${n}, 203.0.113.9`), max, 'what is forged counts nothing')
  t.equal(await heard((n) => `2001:db8:1:1:${n}::1`), max, 'one line is one address')
  t.equal(await heard((n) => `2001:db8:1:${n + 2}::1`), max + more, 'another line is another')
  t.equal(await heard((n) => `::ffff:192.0.2.${n}`), max + more, 'an IPv4 address is no IPv6')
})

t.test('connections of sockets are counted in the same way', async (t) => {
  const max = 300
  const open = async (address: string) =>
    (await fetch(`${app.url}/socket.io/?EIO=4&transport=polling`, { headers: from(address) })).status
  const statuses = await inTurn(max + 10, (n) => open(`198.51.100.${n % 250}, 2001:db8:2::${n.toString(16)}`))
  t.equal(statuses.filter((status) => status === 200).length, max)
  t.equal(statuses.filter((status) => status === 403).length, 10)
  t.equal(await open('2001:db8:3::1'), 200)
})
