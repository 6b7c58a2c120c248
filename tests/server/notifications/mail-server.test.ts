import type { Job } from 'bullmq'
import t from 'tap'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { until } from '#tests/support/wait.ts'

const invite = (email: string) => ({
  name: 'New Dealer',
  email,
  dealershipName: '',
  dealershipType: 'franchise',
  role: 'dealer',
})

const tokenIn = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? ''

t.test("accepts an email's link while the mail server has not answered yet", async (t) => {
  const smtp = await startMailServer(t)
  const app = await startApp(t, { SMTP_URL: smtp.url })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  await admin.post('/api/admin/users', invite('new@dealer.example'))
  const mail = await smtp.mail(1)
  smtp.accepts = true
  const password = 'a long enough password of mine'
  const used = await app.visitor.post('/api/auth/password/reset', { token: tokenIn(mail.text), password })
  t.equal(used.status, 200)
  mail.accept()
  await until('the job to be done', async () => {
    const rows = await app.server.ctx.db.selectFrom('outbox').select('id').where('name', '=', 'mail.invite').execute()
    return rows.length === 0
  })
  t.equal(smtp.mails.filter(({ messageId }) => messageId === mail.messageId).length, 1)
})

t.test('resends an unconfirmed email unchanged', async (t) => {
  const smtp = await startMailServer(t)
  const app = await startApp(t, { SMTP_URL: smtp.url })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  await admin.post('/api/admin/users', invite('new@dealer.example'))
  const first = await smtp.mail(1)
  first.hangUp()
  const again = await smtp.mail(2)
  again.accept()
  t.match(first.messageId, /^<\S+@\S+>$/)
  t.equal(again.messageId, first.messageId, "which the recipient's server recognizes")
  t.equal(again.text, first.text, 'the link works in either copy')
  await admin.post('/api/admin/users', invite('other@dealer.example'))
  const other = await smtp.mail(3)
  other.accept()
  t.not(other.messageId, first.messageId)
})

t.test('puts notices that arrive during sending into the next email, and resends emails unchanged', async (t) => {
  const smtp = await startMailServer(t)
  const app = await startApp(t, { SMTP_URL: smtp.url })
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors', { name: 'Bea Buyer' })]
  const post = await publish(seller)
  const { db } = app.server.ctx
  const mailNow = async () => {
    await until('the notice', async () => {
      const { numUpdatedRows } = await db
        .updateTable('notifications')
        .set({ mailDueAt: new Date(0) })
        .where('mailedAt', 'is', null)
        .where('mailDueAt', '>', new Date())
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })
    await db
      .updateTable('outbox')
      .set({ runAt: new Date(0) })
      .where('name', '=', 'notification.mail')
      .execute()
  }
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await mailNow()
  const first = await smtp.mail(1)
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any dents?' })
  await mailNow()
  first.hangUp()
  const again = await smtp.mail(2)
  t.same([again.messageId, again.text], [first.messageId, first.text])
  again.accept()
  const next = await smtp.mail(3)
  t.match(next.text, /dents/)
  t.notMatch(next.text, /rust/)
  t.not(next.messageId, first.messageId)
  next.accept()
})

t.test('sends an email once a mail server is available, without using up attempts', async (t) => {
  const smtp = await startMailServer(t)
  smtp.accepts = true
  const way = await proxyTo(t, smtp.url)
  const app = await startApp(t, { SMTP_URL: way.url })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  way.cut()
  await admin.post('/api/admin/users', invite('new@dealer.example'))
  const { db, queues } = app.server.ctx
  const { id } = await db.selectFrom('outbox').select('id').where('name', '=', 'mail.invite').executeTakeFirstOrThrow()
  const job = await until('the third try', async () => {
    const found = (await queues.mail.getJob(id)) as Job | undefined
    return found !== undefined && found.attemptsStarted >= 3 ? found : undefined
  })
  t.equal(job.attemptsMade, 0)
  way.heal()
  t.match(await smtp.mail(1), { to: 'new@dealer.example' })
})
