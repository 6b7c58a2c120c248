import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { notificationsSchedules } from '#server/features/notifications/notifications.jobs.ts'
import { mailDueAt } from '#server/features/notifications/notifications.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aDealWith } from '#tests/support/deals.ts'
import { publish } from '#tests/support/factories.ts'
import { mailNow, mailTo } from '#tests/support/mail.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)

const pageOf = async (caller: Caller) => (await caller.get<NotificationsPage>('/api/notifications')).body

t.test('ends quiet hours and sends the daily mail by wall clock time across DST changes', async (t) => {
  const quietHours = { on: true, from: '22:00', to: '07:00', timeZone: 'America/New_York' }
  const dueAt = (about: object, at: string) =>
    mailDueAt({ ...settingsOf({}), quietHours, ...about }, new Date(at)).toISOString()
  const daily = { emailDelivery: 'daily', quietHours: { ...quietHours, on: false } }
  for (const [night, utcHour] of [
    ['2026-10-28', 11],
    ['2026-11-01', 12],
    ['2026-03-08', 11],
  ] as const) {
    const evening = `${night}T03:30:00.000Z`
    t.equal(dueAt({}, evening), `${night}T${utcHour}:00:00.000Z`, `seven in the morning after ${night}`)
    t.equal(dueAt(daily, evening), `${night}T${utcHour + 1}:00:00.000Z`, `eight in the morning after ${night}`)
  }
  const leftOut = { quietHours: { ...quietHours, to: '02:30' } }
  t.equal(
    dueAt(leftOut, '2026-03-08T06:00:00.000Z'),
    '2026-03-08T07:30:00.000Z',
    'a minute that daylight saving skips is over',
  )
})

t.test('does not notify a dealer again of messages after they wrote without reading', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos'), await app.signIn('Ben Motors')]
  const { body: chat } = await ann.post<{ id: string }>('/api/chats', { dealerId: ben.id })
  const digest = notificationsSchedules.find(({ name }) => name === 'notifications.messages')
  const write = async (who: Caller) => {
    const message = { chatId: chat.id, content: 'Hello' }
    t.equal((await who.post('/api/messages', message, { 'idempotency-key': randomUUID() })).status, 201)
    const lastActivity = new Date(Date.now() - 11 * 60_000)
    await app.server.ctx.db.updateTable('chats').set({ lastActivity }).where('id', '=', chat.id).execute()
    await digest?.run(app.server.ctx)
  }
  await write(ann)
  const told = (await pageOf(ben)).items
  t.match(told, [{ title: '1 unread message from one dealer' }])
  await write(ben)
  t.same((await pageOf(ben)).items, told, 'the same notification only')
  await write(ann)
  t.match((await pageOf(ben)).items, [{ title: '2 unread messages from one dealer' }])
})

t.test('mails suspended dealers about binding deals but nothing that needs a sign-in', async (t) => {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors')]
  const post = await publish(seller)
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await until('the comment to be told', async () => (await pageOf(seller)).items.length === 1)
  await aDealWith(seller, buyer)
  await until('the deal to be told', async () => (await pageOf(seller)).items.some(({ kind }) => kind === 'deal'))
  const { email } = (await seller.get<{ email: string }>('/api/auth/me')).body
  const suspension = { reason: 'Under review', until: null }
  t.equal((await admin.post(`/api/admin/users/${seller.id}/suspend`, suspension)).status, 200)
  await mailNow(app)
  const { text } = await mailTo(app, email)
  t.match(text, 'New offer')
  t.notMatch(text, 'Any rust?')
})
