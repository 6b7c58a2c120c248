import type { StoredMail } from '#server/platform/mail/mail.ts'
import type { TestApp } from './app.ts'
import { until } from './wait.ts'

export const mailsOf = ({ server }: TestApp): Promise<StoredMail[]> => server.ctx.mailer.listStored()

export const mailTo = (app: TestApp, address: string, subject = /./): Promise<StoredMail> =>
  until(`a mail to ${address}`, async () =>
    (await mailsOf(app)).find((mail) => mail.to === address && subject.test(mail.subject)),
  )

/** Makes the emails of pending notifications due now. */
export async function mailNow({ server }: TestApp): Promise<void> {
  await server.ctx.db
    .updateTable('notifications')
    .set({ mailDueAt: new Date(0) })
    .where('mailDueAt', 'is not', null)
    .execute()
  await server.ctx.db
    .updateTable('outbox')
    .set({ runAt: new Date(0) })
    .where('name', '=', 'notification.mail')
    .execute()
}
