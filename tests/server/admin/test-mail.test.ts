import t from 'tap'
import type { TestMail } from '#shared/schemas/admin.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { startMailServer } from '#tests/support/mail-server.ts'

const path = '/api/admin/test-mail'
const tried = async (admin: Caller) => (await admin.post<TestMail>(path)).body

t.test("sends a test mail to the admin's own address, for admins only", async (t) => {
  const smtp = await startMailServer(t)
  smtp.accepts = true
  const app = await startApp(t, { SMTP_URL: smtp.url, ROLES: 'api,rt' })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const answer = await tried(admin)
  t.match(answer, { to: /@test\.example$/, kept: false, error: null })
  t.match(await smtp.mail(1), { to: answer.to, text: /reaches you/ })
  const [dealer, ops] = [await app.signIn(), await app.signIn('Desk', { role: 'ops' })]
  t.same([(await dealer.post(path)).status, (await ops.post(path)).status], [403, 403])
  t.equal((await app.visitor.post(path)).status, 401)
  t.equal(smtp.mails.length, 1)
})

t.test('limits test mails per admin', async (t) => {
  const app = await startApp(t, { RATE_LIMITS: 'on', ROLES: 'api,rt' })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const answers = await Promise.all(Array.from({ length: 6 }, () => admin.post(path)))
  t.same(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 429])
})

t.test('stores the test mail if there is no mail server and says so', async (t) => {
  const app = await startApp(t, { ROLES: 'api,rt' })
  t.match(await tried(await app.signIn('Lanewire', { role: 'admin' })), { kept: true, error: null })
})
