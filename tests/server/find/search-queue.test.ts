import t from 'tap'
import { parseFind } from '#shared/find-query.ts'
import type { FindRequest, FindReply } from '#server/features/find/columns/search-format.ts'
import { criteriaOf } from '#server/features/find/find-criteria.ts'
import { SearchQueue } from '#server/features/find/columns/search-queue.ts'

const asking = (miles: number): FindRequest => ({
  criteria: criteriaOf(parseFind(`miles=${miles}-`), {
    words: [],
    near: undefined,
    network: [],
    excluded: [],
    now: 10,
  }),
})
const milesOf = ({ criteria }: FindRequest) => criteria.miles.from

/** Returns a queue whose searches finish only when the test answers them. `begun` lists the searches that have started. */
function slowQuestions() {
  const questions = new SearchQueue((error) => error as Error)
  const begun: { miles: number | undefined; answer: () => void }[] = []
  questions.use(
    (ask) =>
      new Promise<FindReply>((resolve) => {
        begun.push({ miles: milesOf(ask), answer: () => resolve({ total: milesOf(ask) } as FindReply) })
      }),
  )
  return { questions, begun, asked: () => begun.map(({ miles }) => miles) }
}

t.test('answers equal questions once and refuses new ones beyond fifty waiting', async (t) => {
  const { questions, begun, asked } = slowQuestions()
  const first = [questions.ask(asking(1)), questions.ask(asking(1))]
  t.same(asked(), [1])
  // Two searches run at a time, and fifty can wait.
  const others = Array.from({ length: 51 }, (_, index) => questions.ask(asking(2 + index)))
  await t.rejects(questions.ask(asking(100)), { code: 'unavailable' })
  const again = questions.ask(asking(20))
  begun[0]?.answer()
  t.match(await Promise.all(first), [{ total: 1 }, { total: 1 }])
  while (begun.length < 52) {
    for (const { answer } of begun) answer()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const { answer } of begun) answer()
  await Promise.all([...others, again])
  t.equal(new Set(asked()).size, begun.length, 'no search runs twice')
})

t.test('drops searches without a waiting caller, even if the caller left early', async (t) => {
  const { questions, begun, asked } = slowQuestions()
  const underWay = [questions.ask(asking(1)), questions.ask(asking(2))]
  const leaving = new AbortController()
  const left = questions.ask(asking(3), leaving.signal)
  const shared = [questions.ask(asking(4), leaving.signal), questions.ask(asking(4))]
  leaving.abort()
  await t.rejects(left)
  const gone = questions.ask(asking(5), leaving.signal)
  await t.rejects(gone)
  for (const { answer } of begun) answer()
  await Promise.all(underWay)
  await new Promise((resolve) => setImmediate(resolve))
  t.same(asked(), [1, 2, 4], 'a search with another waiting caller runs')
  begun.at(-1)?.answer()
  await Promise.all(shared)
})
