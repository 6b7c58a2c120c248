import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { startApp } from '#tests/support/app.ts'
import { hostileSheets, orOverdue, previewSheet, slowSheet, uploadSheet } from '#tests/support/hostile-sheets.ts'
import { until } from '#tests/support/wait.ts'

// Response times and links to such files are tested in spreadsheets-hostile.full.test.ts.

const app = await startApp(t, { ROLES: 'api' })

t.test('a file made to be slow is refused, and the next one is read', async (t) => {
  const seller = await app.signIn()
  for (const [name, [file, answer]] of Object.entries(hostileSheets)) {
    const { status, body } = await previewSheet(seller, file)
    t.match({ status, message: body.error?.message }, { status: 400, message: orOverdue(answer) }, name)
  }
  const harmless = Buffer.from('VIN,Year\n1FTFW1E59NKD69096,2022\n')
  await until('it to be read', async () => (await previewSheet(seller, harmless)).body.vehicles?.length === 1)
})

t.test('a file that takes long to read keeps nobody else waiting', async (t) => {
  const seller = await app.signIn()
  const object = await uploadSheet(seller, slowSheet())
  let isAnswered = false
  const slow = seller.post<ErrorBody>('/api/spreadsheets/preview', object).finally(() => (isAnswered = true))
  for (let asked = 0; asked < 5; asked += 1) t.equal((await app.visitor.get('/health/live')).status, 200)
  t.notOk(isAnswered, 'others are answered first')
  t.ok([200, 400].includes((await slow).status))
})
