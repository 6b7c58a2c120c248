import type {
  IssueChange,
  IssueInput,
  IssuePreview,
  NewsletterIssue,
  ReadIssue,
  SubscribersPage,
  SubscribersQuery,
} from '#shared/schemas/site.ts'
import { Id } from '#shared/values.ts'
import { trimTitle } from '#shared/visible-text.ts'
import type { Config } from '#server/config/config.ts'
import { conflict, notFound } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import {
  findIssue,
  insertIssue,
  listIssues,
  lockIssue,
  removeIssue,
  updateIssue,
  updateSent,
} from './issues.repository.ts'
import { countConfirmed, listSubscribers } from './newsletter.repository.ts'
import { unsubscribeLink } from './newsletter.service.ts'

const pageSize = 50
const issuesShown = 200

export async function subscribersPage(ctx: Context, { cursor }: SubscribersQuery): Promise<SubscribersPage> {
  const before = cursor === undefined ? undefined : decodeCursor(Id, cursor)
  const [rows, confirmed] = await Promise.all([
    listSubscribers(ctx.db, 'newsletter', { limit: pageSize, before }),
    countConfirmed(ctx.db, 'newsletter'),
  ])
  const subscribers = rows.slice(0, pageSize)
  const last = subscribers.at(-1)
  return { subscribers, confirmed, nextCursor: rows.length > pageSize && last ? encodeCursor(last.id) : null }
}

export const allIssues = (ctx: Context): Promise<NewsletterIssue[]> => listIssues(ctx.db, issuesShown)

/** @throws 404 if the issue does not exist */
async function readIssue(ctx: Context, id: string): Promise<NewsletterIssue> {
  const issue = await findIssue(ctx.db, id)
  if (issue === undefined) throw notFound('This issue')
  return issue
}

export function issueMail(
  config: Config,
  { subject, text }: IssueInput,
  subscriber: { id: string; email: string },
): Mail {
  const unsubscribeUrl = unsubscribeLink(config, 'newsletter', subscriber.id)
  return {
    to: subscriber.email,
    subject,
    text: `${text}\n\nYou're receiving this because you subscribed to the Lanewire newsletter. To unsubscribe:\n${unsubscribeUrl}`,
    unsubscribeUrl,
  }
}

const nobody = { id: '00000000-0000-7000-8000-000000000000', email: 'subscriber@example.com' }

/** Returns the email as subscribers receive it, except that its unsubscribe link does nothing. @throws 404 if the issue does not exist */
export async function previewIssue(ctx: Context, id: string): Promise<IssuePreview> {
  const [issue, recipients] = await Promise.all([readIssue(ctx, id), countConfirmed(ctx.db, 'newsletter')])
  const { subject, text } = issueMail(ctx.config, issue, nobody)
  return { subject, text, recipients, updatedAt: issue.updatedAt }
}

// Line breaks in a subject would allow header injection.
const wordsOf = ({ subject, text }: IssueInput): IssueInput => ({
  subject: trimTitle(subject.replaceAll(/\s+/g, ' ')),
  text: text.trim(),
})

const asSubject = (id: string, { subject }: IssueInput): Act['subject'] => ({ kind: 'newsletter', id, name: subject })

export async function writeIssue(ctx: Context, by: By, input: IssueInput): Promise<NewsletterIssue> {
  const words = wordsOf(input)
  const id = await ctx.transact(async (tx) => {
    const issueId = await insertIssue(tx, words)
    await recordAct(tx, by, { action: 'newsletter.create', subject: asSubject(issueId, words), after: words })
    return issueId
  })
  return readIssue(ctx, id)
}

/** @throws 404 if the issue does not exist; 409 if it has been sent */
async function lockDraft(tx: Tx, id: string) {
  const issue = await lockIssue(tx, id)
  if (issue === undefined) throw notFound('This issue')
  if (issue.sentAt !== null) throw conflict('This issue has been sent')
  return issue
}

/** @throws 404 if the issue does not exist; 409 if it has been sent */
export async function changeIssue(ctx: Context, by: By, id: string, change: IssueChange): Promise<NewsletterIssue> {
  await ctx.transact(async (tx) => {
    const { subject, text } = await lockDraft(tx, id)
    const before = { subject, text }
    const words = wordsOf({ ...before, ...change })
    await updateIssue(tx, id, words)
    await recordAct(tx, by, { action: 'newsletter.edit', subject: asSubject(id, words), before, after: words })
  })
  return readIssue(ctx, id)
}

/** @throws 404 if the issue does not exist; 409 if it has been sent */
export async function deleteIssue(ctx: Context, by: By, id: string): Promise<void> {
  await ctx.transact(async (tx) => {
    const { subject, text } = await lockDraft(tx, id)
    await removeIssue(tx, id)
    await recordAct(tx, by, {
      action: 'newsletter.delete',
      subject: asSubject(id, { subject, text }),
      before: { subject, text },
    })
  })
}

/** @throws 404 if the issue does not exist; 409 if it was sent, was changed after the admin read it, or nobody has subscribed */
export async function sendIssue(ctx: Context, by: By, id: string, read: ReadIssue): Promise<NewsletterIssue> {
  await ctx.transact(async (tx, emit) => {
    const issue = await lockDraft(tx, id)
    if (issue.updatedAt.getTime() !== Date.parse(read.updatedAt))
      throw conflict('This issue was changed after you previewed it. Preview it again, then send it')
    const recipients = await countConfirmed(tx, 'newsletter')
    if (recipients === 0) throw conflict('The newsletter has no subscribers yet')
    await updateSent(tx, id)
    await emit.job('newsletter.send', { issueId: id }, { uniqueKey: id })
    await recordAct(tx, by, { action: 'newsletter.send', subject: asSubject(id, issue), after: { recipients } })
  })
  return readIssue(ctx, id)
}
