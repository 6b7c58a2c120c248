import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { startApp } from '#tests/support/app.ts'
import { slowSheet, uploadSheet } from '#tests/support/hostile-sheets.ts'

// spreadsheets-hostile.full.test.ts tests response times, and spreadsheet links to hostile files.

const app = await startApp(t, { ROLES: 'api' })

t.test('keeps nobody waiting for a file that takes long to read', async (t) => {
  const seller = await app.signIn()
  const object = await uploadSheet(seller, slowSheet())
  let isAnswered = false
  const slow = seller.post<ErrorBody>('/api/spreadsheets/preview', object).finally(() => (isAnswered = true))
  for (let asked = 0; asked < 5; asked += 1) t.equal((await app.visitor.get('/health/live')).status, 200)
  t.notOk(isAnswered, 'other calls are answered first')
  t.ok([200, 400].includes((await slow).status))
})
