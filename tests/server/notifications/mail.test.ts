import t from 'tap'
import { mailFault } from '#server/platform/mail/mail-faults.ts'
import { createMailer } from '#server/platform/mail/mail.ts'

t.test('reads an email being written completely or not at all', async (t) => {
  const mailer = createMailer({ mail: { smtpUrl: undefined, from: '', support: '' }, dataDir: t.testdir() })
  // Large enough that writing the file takes several writes.
  const text = 'A long newsletter. '.repeat(200_000)
  const now = { sent: false }
  const sending = mailer.send({ to: 'ann@dealer.example', subject: 'News', text }, 'job').then(() => (now.sent = true))
  while (!now.sent) for (const mail of await mailer.listStored()) t.equal(mail.text.length, text.length)
  await sending
  t.match(await mailer.listStored(), [{ to: 'ann@dealer.example', subject: 'News', text }])
})

t.test('sends an email to exactly one address, whatever the caller passes', async (t) => {
  const mailer = createMailer({ mail: { smtpUrl: undefined, from: '', support: '' }, dataDir: t.testdir() })
  for (const to of [
    'ann@dealer.example,ben@dealer.example',
    'ann@dealer.example\r\nBcc: ben@dealer.example',
    'Ann <ann@dealer.example>',
    '',
  ])
    await t.rejects(
      mailer.send({ to, subject: 'News', text: 'Hello' }, 'job'),
      /exactly one recipient/i,
      JSON.stringify(to),
    )
  t.same(await mailer.listStored(), [])
})

t.test('leaves the address of the recipient out of the error that staff read', async (t) => {
  const reply = "Can't send mail - all recipients were rejected: 550 5.1.1 <Ann+1@dealer.example>: unknown user"
  const error = Object.assign(new Error(reply), { code: 'EENVELOPE' })
  const fault = mailFault(error, 'smtp://mail.example:25', 'ann+1@dealer.example')
  t.match(fault, /rejects the sender or the recipient: .* 550 5\.1\.1 <the recipient>: unknown user$/)
})
