import t from 'tap'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'

const app = await startApp(t, { ROLES: 'api,rt' })

const knownOf = async (words: string[]) => {
  const rows = await app.server.ctx.db.selectFrom('searchWords').select('word').where('word', 'in', words).execute()
  return rows.map(({ word }) => word).toSorted()
}

t.test(
  'removes the names of a deleted account from the words that searches know, unless other dealers use them',
  async (t) => {
    const leaving = await app.signIn('Quaggamont Okapi', { name: 'Zorilla Quaggamont', city: 'Axolotlton' })
    const staying = await app.signIn('Zorilla Motors')
    await publish(leaving, { title: 'Numbatz in good order' })
    await publish(staying, { title: 'As seen at Okapi' })
    const words = ['quaggamont', 'okapi', 'zorilla', 'axolotlton']
    t.same(await knownOf(words), words.toSorted())
    const { email } = (await leaving.get<{ email: string }>('/api/auth/me')).body
    t.equal((await leaving.delete('/api/account', { email })).status, 204)
    t.same(await knownOf(words), ['okapi', 'zorilla'])
  },
)
