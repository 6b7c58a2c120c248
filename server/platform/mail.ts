import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { isEmail } from '#shared/email.ts'
import type { Config } from '#server/config.ts'
import { mailFault } from './mail-faults.ts'

export interface Mail {
  to: string
  subject: string
  /** Plain text; links stand on lines of their own. */
  text: string
  /** Of a mail to a list: where one press in the reader's mail program ends it (RFC 8058). */
  unsubscribeUrl?: string
}

export interface KeptMail extends Mail {
  id: string
  /** ISO 8601 */
  sentAt: string
}

/** Where mails stay that do not leave. */
export interface Mailbox {
  /** Newest first. Empty where mail really leaves. */
  kept(): Promise<KeptMail[]>
}

export interface Mailer extends Mailbox {
  /** One sentence about why no mail can leave; undefined where it can, as far as the mail server tells without one. */
  findFault(): Promise<string | undefined>
  /**
   * @param id of the job: the mail's Message-ID is made of it, so that whoever gets it twice recognises it
   * @throws MailServerAway when it is to be tried later; another error when the mail server refuses, or `to` is not exactly one
   * address: the job is tried again
   */
  send(mail: Mail, id: string): Promise<void>
}

const keptShown = 50

/** Through SMTP where it is configured; otherwise each mail is a file in the data folder, readable in a demo. */
export function createMailer(config: Pick<Config, 'mail' | 'dataDir'>): Mailer {
  const { smtpUrl, from } = config.mail
  const mailer = smtpUrl === undefined ? fileMailer(join(config.dataDir, 'mail')) : smtpMailer(smtpUrl, from)
  return {
    ...mailer,
    async send(mail, id) {
      // Whatever has come past the schemas: a list would bring one dealer's links to others as well.
      if (!isEmail(mail.to)) throw new Error('An email must have exactly one recipient')
      await mailer.send(mail, id)
    },
  }
}

/** The mail server was out of reach or asks for patience, rather than refusing the mail. */
export class MailServerAway extends Error {
  override name = 'MailServerAway'
}

/** As nodemailer names it: no answer, or none to the end. */
const unanswered = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'EPROTOCOL'])

/** A server that is to be asked again later says 4yz (RFC 5321, 4.2.1). */
function isAway(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  if (typeof responseCode === 'number') return responseCode >= 400 && responseCode < 500
  return typeof code === 'string' && unanswered.has(code)
}

function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(smtpUrl)
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async send(mail, id) {
      // As an object: a text would be read as a list of addresses.
      const { unsubscribeUrl, ...rest } = mail
      const to = { name: '', address: mail.to }
      const list = unsubscribeUrl === undefined ? {} : { headers: unsubscribeHeaders(unsubscribeUrl) }
      await transport
        .sendMail({ from, ...rest, ...list, to, messageId: `<${id}@${domain}>` })
        .catch((error: unknown) => {
          const fault = mailFault(error, smtpUrl)
          throw isAway(error) ? new MailServerAway(fault, { cause: error }) : new Error(fault, { cause: error })
        })
    },
    findFault: () =>
      transport.verify().then(
        () => undefined,
        (error: unknown) => mailFault(error, smtpUrl),
      ),
    kept: async () => [],
  }
}

const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

function fileMailer(folder: string): Mailer {
  return {
    async send(mail) {
      const sentAt = new Date().toISOString()
      // The name sorts by time, so the newest are found without reading every file.
      const id = `${sentAt.replace(/\D/g, '')}-${randomBytes(4).toString('hex')}`
      await mkdir(folder, { recursive: true })
      // Written beside and renamed: nobody reads a part.
      const path = join(folder, id)
      await writeFile(path, JSON.stringify({ id, sentAt, ...mail }), { mode: 0o600 })
      await rename(path, `${path}.json`)
    },
    findFault: async () => undefined,
    async kept() {
      const names = await readdir(folder).catch(() => [])
      const newest = names
        .filter((name) => name.endsWith('.json'))
        .toSorted()
        .toReversed()
        .slice(0, keptShown)
      return Promise.all(newest.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as KeptMail))
    },
  }
}

/** An address of this product for use in a mail, where there is no request to take the host from. */
export function publicLink(config: Pick<Config, 'publicUrl' | 'port'>, path: string): string {
  return `${config.publicUrl ?? `http://localhost:${config.port}`}${path}`
}
