import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { ContactEntry, ContactPage } from '#shared/schemas/site.ts'
import type { StoredMail } from '#server/platform/mail/mail.ts'
import { startApp } from '#tests/support/app.ts'
import { mailTo } from '#tests/support/mail.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const message = {
  name: 'Rosa Delgado',
  email: 'rosa@delgado.example',
  company: 'Delgado Motors',
  dealershipType: 'auction',
  topic: 'sales',
  message: 'We have six rooftops. What does Enterprise include?',
}

const linkIn = (mail: StoredMail, part: string): string => {
  const link = mail.text.split(/\s/).find((word) => word.includes(part))
  if (link === undefined) throw new Error(`no link with ${part} in: ${mail.text}`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

t.test('stores a contact message, mails it to support, lists it for admins, and handles it once', async (t) => {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  t.equal((await app.visitor.post('/api/contact', message)).status, 204)
  const mail = await mailTo(app, 'support@lanewire.example', /\[sales\] Message from Rosa Delgado/)
  t.match(mail.text, /rosa@delgado.example/)
  t.match(mail.text, /six rooftops/)
  const { body } = await admin.get<ContactPage>('/api/admin/contact-messages')
  const listed = { name: 'Rosa Delgado', company: 'Delgado Motors', dealershipType: 'auction', topic: 'sales' }
  t.match(body, { waiting: 1, messages: [{ ...listed, handledAt: null }] })
  const path = `/api/admin/contact-messages/${body.messages[0]?.id ?? ''}`
  t.equal((await admin.post(path, { handled: false })).status, 409, 'it waits already')
  t.match((await admin.post<ContactEntry>(path, { handled: true })).body, { handledAt: String, handledBy: 'Alex Acme' })
  t.equal((await admin.post(path, { handled: true })).status, 409)
  t.match((await admin.get<ContactPage>('/api/admin/contact-messages')).body, { waiting: 0, messages: [] })
  t.match((await admin.get<ContactPage>('/api/admin/contact-messages?state=handled')).body.messages, [listed])
  const audit = await admin.get<AuditPage>('/api/admin/audit?action=contact')
  t.match(audit.body.entries, [{ action: 'contact.handle', subjectName: 'Rosa Delgado' }])
})

t.test("stores a sender's message once per hour and treats the same text as one message", async (t) => {
  const { visitor, server } = app
  await visitor.post('/api/contact', message)
  t.equal((await visitor.post('/api/contact', message)).status, 204)
  const second = await visitor.post<ErrorBody>('/api/contact', {
    ...message,
    email: 'ROSA@delgado.example',
    message: 'More',
  })
  t.equal(second.status, 429)
  t.ok(Number(second.headers.get('retry-after')) > 3_500)
  t.equal(second.body.error.message, 'We received your message. You can send another in 60 minutes')
  t.equal((await visitor.post('/api/contact', { ...message, email: 'other@dealer.example' })).status, 204)
  await server.ctx.db
    .updateTable('contactMessages')
    .set({ createdAt: new Date(Date.now() - 3_700_000) })
    .execute()
  t.equal((await visitor.post('/api/contact', { ...message, message: 'More' })).status, 204)
  t.equal((await server.ctx.db.selectFrom('contactMessages').select('id').execute()).length, 3)
})

t.test('mails an answer to the sender, stores it, and marks the message as handled', async (t) => {
  const [admin, dealer] = [await app.signIn('Lanewire', { role: 'admin', name: 'Ada Admin' }), await app.signIn('Webb')]
  await dealer.post('/api/contact', { ...message, topic: 'api' })
  await app.visitor.post('/api/contact', { ...message, email: 'visitor@dealer.example' })
  const { messages } = (await admin.get<ContactPage>('/api/admin/contact-messages')).body
  t.match(
    messages.map(({ dealer: who }) => who),
    [null, { id: dealer.id, apiAccess: false }],
    'the signed-in sender is recorded',
  )
  const path = `/api/admin/contact-messages/${messages[1]?.id}/answers`
  const content = 'Enterprise has API access.\nShall we grant it?'
  t.equal((await dealer.post(path, { content })).status, 403)
  t.equal((await app.visitor.post(path, { content })).status, 401)
  t.equal((await admin.post(path, { content: '  ' })).status, 400)
  t.match(await admin.post<ContactEntry>(path, { content }), {
    status: 201,
    body: { handledBy: 'Ada Admin', answers: [{ content, sentBy: 'Ada Admin' }] },
  })
  const mail = await mailTo(app, message.email, /your message to Lanewire/)
  t.match(mail.text, /Shall we grant it\?/)
  t.match(mail.text, /> We have six rooftops/)
  await admin.post(path, { content: 'One more thing' })
  const handled = (await admin.get<ContactPage>('/api/admin/contact-messages?state=handled')).body.messages[0]
  t.same(
    handled?.answers.map((answer) => answer.content),
    [content, 'One more thing'],
  )
  const audit = await admin.get<AuditPage>('/api/admin/audit?action=contact.answer')
  t.equal(audit.body.entries.length, 2)
})

t.test('stores one of two simultaneous submissions', async (t) => {
  const { visitor, server } = app
  await Promise.all(Array.from({ length: 5 }, () => visitor.post('/api/contact', message)))
  t.equal((await server.ctx.db.selectFrom('contactMessages').select('id').execute()).length, 1)
})

t.test('accepts a submission with a filled honeypot and drops it', async (t) => {
  const { visitor, server } = app
  t.equal((await visitor.post('/api/contact', { ...message, website: 'https://spam.example' })).status, 204)
  t.equal((await visitor.post('/api/newsletter', { email: 'a@b.example', website: 'x' })).status, 204)
  t.same(await server.ctx.db.selectFrom('contactMessages').select('id').execute(), [])
  t.same(await server.ctx.db.selectFrom('listSubscribers').select('id').execute(), [])
})

t.test('refuses a message without a name, a valid address or text', async (t) => {
  const { visitor } = app
  for (const wrong of [
    { name: '' },
    { name: '   ' },
    { email: 'nowhere' },
    { message: ' ' },
    { message: 'x'.repeat(5_001) },
  ]) {
    const { status, body } = await visitor.post<ErrorBody>('/api/contact', { ...message, ...wrong })
    t.equal(status, 400)
    t.match(body.error.message, new RegExp(Object.keys(wrong)[0] ?? '', 'i'))
  }
  t.equal((await visitor.post('/api/contact', { ...message, dealershipType: 'museum' })).status, 400)
  t.equal((await visitor.post('/api/contact', { ...message, topic: 'gossip' })).status, 400)
})

t.test('throttles messages from one address', async (t) => {
  const { visitor } = await startApp(t, { RATE_LIMITS: 'on' })
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1)
    statuses.push((await visitor.post('/api/contact', { ...message, email: `sender${n}@dealer.example` })).status)
  t.same(statuses, [204, 204, 204, 204, 204, 429])
})

t.test('shows stored messages to admins only', async (t) => {
  const { visitor, signIn } = app
  t.equal((await visitor.get('/api/admin/contact-messages')).status, 401)
  t.equal((await (await signIn()).get('/api/admin/contact-messages')).status, 403)
})

t.test('subscribes an address only by the mailed link and unsubscribes by another', async (t) => {
  const subscribers = () => app.server.ctx.db.selectFrom('listSubscribers').selectAll().execute()
  t.equal((await app.visitor.post('/api/newsletter', { email: 'grant@prairie.example' })).status, 204)
  const mail = await mailTo(app, 'grant@prairie.example', /confirm/)
  t.equal((await subscribers())[0]?.confirmedAt, null)
  const wrong = await app.visitor.get('/api/lists/newsletter/confirm?token=wrong')
  t.equal(wrong.headers.get('location'), '/blog?list=expired&public')
  t.equal(
    (await app.visitor.get(linkIn(mail, '/confirm').replace('newsletter', 'status'))).headers.get('location'),
    '/status?list=expired&public',
  )
  const confirmed = await app.visitor.get(linkIn(mail, '/confirm'))
  t.match(confirmed, { status: 303 })
  t.equal(confirmed.headers.get('location'), '/blog?list=newsletter-confirmed&public')
  t.ok((await subscribers())[0]?.confirmedAt)
})

t.test('keeps one entry after subscribing twice and reveals nothing about the first', async (t) => {
  const again = () => app.visitor.post('/api/newsletter', { email: 'Grant@Prairie.example' })
  t.equal((await again()).status, (await again()).status)
  t.equal((await app.server.ctx.db.selectFrom('listSubscribers').select('id').execute()).length, 1)
  t.equal((await app.visitor.post('/api/newsletter', { email: 'not an address' })).status, 400)
})
