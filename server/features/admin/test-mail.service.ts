import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isEmail } from '#shared/email.ts'
import type { TestMail } from '#shared/schemas/admin.ts'
import type { Config } from '#server/config/config.ts'
import { notFound, StartFault } from '#server/errors.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { createMailer, publicLink } from '#server/platform/mail/mail.ts'

const patienceMs = 15_000
const perAdmin = { name: 'test-mail', max: 5, seconds: 60 }

/** Sends a test email directly, not through the queue. @returns `error` is a sentence about the problem, or null */
async function sendTestMail(config: Config, to: string): Promise<TestMail> {
  const mail = {
    to,
    subject: 'A test email from Lanewire',
    text: ['If you can read this, email from Lanewire reaches you.', publicLink(config, '/admin')].join('\n\n'),
  }
  const kept = config.mail.smtpUrl === undefined
  const sent = createMailer(config)
    .send(mail, randomUUID())
    .then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  // Stop waiting for a server that does not answer.
  const silent = pause(patienceMs, `The mail server did not respond within ${patienceMs / 1_000} seconds`, {
    ref: false,
  })
  return { to, kept, error: await Promise.race([sent, silent]) }
}

/** @throws 429 after five test emails in a minute */
export async function sendTestMailToSelf(ctx: Context, dealerId: string): Promise<TestMail> {
  await ctx.limiter.consume(perAdmin, dealerId)
  const admin = await findDealer(ctx.db, dealerId)
  if (admin === undefined) throw notFound('This account')
  return sendTestMail(ctx.config, admin.email)
}

/** Sends a test email and returns a message for the console. @throws {StartFault} if `email` is invalid or sending fails */
export async function tryMail(config: Config, email: string): Promise<string> {
  if (!isEmail(email)) throw new StartFault(`"${email}" is not an email address`)
  const { error, kept } = await sendTestMail(config, email)
  if (error !== null) throw new StartFault(error)
  return kept
    ? `SMTP_URL is not set: the test email to ${email} was saved as a file in ${join(config.dataDir, 'mail')}.`
    : `The mail server accepted a test email to ${email}.`
}
