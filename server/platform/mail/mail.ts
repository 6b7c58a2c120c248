import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { isEmail } from '#shared/email.ts'
import type { Config } from '#server/config/config.ts'
import { mailFault } from './mail-faults.ts'

export interface Mail {
  to: string
  subject: string
  /** Plain text, with each link on its own line. */
  text: string
  /** One-click unsubscribe link of the mailing list to which the email belongs (RFC 8058). */
  unsubscribeUrl?: string
}

export interface StoredMail extends Mail {
  id: string
  sentAt: string
}

export interface Mailbox {
  /** Lists the newest stored emails first. Returns an empty list if emails are sent through SMTP. */
  listStored(): Promise<StoredMail[]>
}

export interface Mailer extends Mailbox {
  /** Returns a sentence that says what is wrong with the mail server's configuration, or undefined if nothing is wrong. */
  findFault(): Promise<string | undefined>
  /** @param id id of the job, used in the Message-ID @throws MailServerAway if a later attempt may succeed, otherwise Error */
  send(mail: Mail, id: string): Promise<void>
}

const storedShownMax = 50

/** Creates a mailer that sends through SMTP. Without SMTP, it writes each email to a file; a demo shows these emails. */
export function createMailer(config: Pick<Config, 'mail' | 'dataDir'>): Mailer {
  const { smtpUrl, from } = config.mail
  const mailer = smtpUrl === undefined ? fileMailer(join(config.dataDir, 'mail')) : smtpMailer(smtpUrl, from)
  return {
    ...mailer,
    async send(mail, id) {
      // Reject lists, which would send one dealer's links to other people. The schemas should already prevent them.
      if (!isEmail(mail.to)) throw new Error('An email must have exactly one recipient')
      await mailer.send(mail, id)
    },
  }
}

/** Thrown if the mail server was unreachable or asked to try again later. */
export class MailServerAway extends Error {
  override name = 'MailServerAway'
}

/** nodemailer's codes for a missing or incomplete response. */
const unanswered = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'EPROTOCOL'])

/** SMTP replies 400 to 499 are temporary failures (RFC 5321, 4.2.1). */
function isUnreachable(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  if (typeof responseCode === 'number') return responseCode >= 400 && responseCode < 500
  return typeof code === 'string' && unanswered.has(code)
}

function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(smtpUrl)
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async send(mail, id) {
      // Pass an object, because nodemailer would parse a string as a list of addresses.
      const { unsubscribeUrl, ...rest } = mail
      const to = { name: '', address: mail.to }
      const list = unsubscribeUrl === undefined ? {} : { headers: unsubscribeHeaders(unsubscribeUrl) }
      await transport
        .sendMail({ from, ...rest, ...list, to, messageId: `<${id}@${domain}>` })
        .catch((error: unknown) => {
          const fault = mailFault(error, smtpUrl, mail.to)
          throw isUnreachable(error) ? new MailServerAway(fault, { cause: error }) : new Error(fault, { cause: error })
        })
    },
    findFault: () =>
      transport.verify().then(
        () => undefined,
        (error: unknown) => mailFault(error, smtpUrl),
      ),
    listStored: async () => [],
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
      // Names sort by time, so that listing the newest emails does not read the other files.
      const id = `${sentAt.replace(/\D/g, '')}-${randomBytes(4).toString('hex')}`
      await mkdir(folder, { recursive: true })
      // Write a draft and rename it, so that readers never see a partial file.
      const path = join(folder, id)
      await writeFile(path, JSON.stringify({ id, sentAt, ...mail }), { mode: 0o600 })
      await rename(path, `${path}.json`)
    },
    findFault: async () => undefined,
    async listStored() {
      const names = await readdir(folder).catch(() => [])
      const newest = names
        .filter((name) => name.endsWith('.json'))
        .toSorted()
        .toReversed()
        .slice(0, storedShownMax)
      return Promise.all(
        newest.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as StoredMail),
      )
    },
  }
}

/** Returns an absolute URL for use in an email, where no request provides the host. */
export function publicLink(config: Pick<Config, 'publicUrl' | 'port'>, path: string): string {
  return `${config.publicUrl ?? `http://localhost:${config.port}`}${path}`
}
