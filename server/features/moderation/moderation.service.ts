import type { ModerationAct, ReportKind } from '#shared/moderation.ts'
import { reasonMin } from '#shared/limits.ts'
import { type Notice, notify } from '#server/features/notifications/notifications.service.ts'
import { closeReports, insertReport, lockReports, type SubjectRef } from './moderation.repository.ts'
import { findAuthorOf, listSubjectsOf, type Subject } from './moderation-subjects.repository.ts'
import type { ModerationCase, ModerationDecision, NewReport, ReportReceipt } from '#shared/schemas/moderation.ts'
import { trimText } from '#shared/visible-text.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { suspendWithin } from '#server/features/admin/users/admin-users.service.ts'
import { type By, recordAct } from '#server/features/audit/audit.service.ts'
import { setMessageHidden } from '#server/features/messaging/messages.service.ts'
import { setCommentHidden } from '#server/features/comments/comments.service.ts'
import { setPostHidden } from '#server/features/posts/posts-changes.service.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { readCase } from './moderation-cases.service.ts'

const names: Record<ReportKind, (subject: Subject) => string> = {
  post: ({ title }) => `your post "${title}"`,
  comment: ({ title }) => `your comment on "${title}"`,
  message: () => 'your message',
  dealer: () => 'your account',
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const titles: Partial<Record<ModerationAct, (name: string) => string>> = {
  hide: (name) => `${upperFirst(name)} was hidden by a moderator`,
  restore: (name) => `${upperFirst(name)} is visible again`,
  warn: (name) => `Warning about ${name}`,
}

const paths: Partial<Record<ReportKind, string>> = { message: '/messages', dealer: '/dealer-profile' }

/** Returns undefined if the author gets no notice. Suspended dealers see the reason when they try to sign in instead. */
function noticeOf(act: ModerationAct, { kind }: SubjectRef, subject: Subject, reason: string): Notice | undefined {
  const title = titles[act]?.(names[kind](subject))
  if (title === undefined) return undefined
  const path = paths[kind] ?? subject.path ?? '/'
  return { dealerId: subject.author.id, kind: 'moderation', title, body: reason, path }
}

const reportLimit = { name: 'reports', max: 20, seconds: 3_600 }

/** @throws 404 if the dealer cannot see the item; 400 if it is their own; 409 if their earlier report is open; 429 after 20 an hour */
export async function report(ctx: Context, actor: Actor, input: NewReport): Promise<ReportReceipt> {
  await ctx.limiter.consume(reportLimit, actor.dealerId)
  const authorId = await findAuthorOf(ctx.db, input.kind, input.subjectId, actor.dealerId)
  if (authorId === undefined) throw notFound(`This ${input.kind}`)
  if (authorId === actor.dealerId) throw badRequest('You cannot report your own content')
  try {
    return { id: await ctx.transact((tx) => insertReport(tx, actor.dealerId, authorId, input)) }
  } catch (error) {
    if (brokenConstraint(error) === 'reports_open') throw conflict("You have already reported this. We're reviewing it")
    throw error
  }
}

const actsWithReason = new Set<ModerationAct>(['hide', 'warn', 'suspend'])
const setHiddenByKind = { post: setPostHidden, comment: setCommentHidden, message: setMessageHidden }

/** @throws 400 if the subject is a dealer; 409 if nothing would change */
async function setHidden(tx: Tx, emit: Emit, { kind, id }: SubjectRef, hidden: boolean): Promise<void> {
  if (kind === 'dealer') throw badRequest('A dealer cannot be hidden; suspend the account instead')
  if (!(await setHiddenByKind[kind](tx, emit, id, hidden)))
    throw conflict(hidden ? `This ${kind} is already hidden` : `This ${kind} is not hidden`)
}

interface DecisionContext {
  tx: Tx
  emit: Emit
  by: By
  ref: SubjectRef
  subject: Subject
  reason: string
  until: string | null
  now: Date
}

/** Carries out each action and returns the values before and after it for the audit log. */
const acts: Record<ModerationAct, (it: DecisionContext) => Promise<{ before?: object; after?: object }>> = {
  hide: async ({ tx, emit, ref }) => {
    await setHidden(tx, emit, ref, true)
    return { before: { hidden: false }, after: { hidden: true } }
  },
  restore: async ({ tx, emit, ref }) => {
    await setHidden(tx, emit, ref, false)
    return { before: { hidden: true }, after: { hidden: false } }
  },
  warn: async () => ({}),
  suspend: async ({ tx, emit, by, subject, reason, until, now }) => {
    await suspendWithin({ tx, emit, now }, by, subject.author.id, { reason, until })
    return { after: { author: subject.author.name, until } }
  },
  dismiss: async () => ({}),
}

/**
 * Carries out a decision, notifies the author and writes the audit log. Every decision except `restore` closes the reports.
 * @throws 404 if nobody has reported the subject; 400 if the reason is too short; 409 if there is nothing to decide
 */
export async function decide(
  ctx: Context,
  by: By,
  ref: SubjectRef,
  { act, reason = '', until = null }: ModerationDecision,
): Promise<ModerationCase> {
  const why = trimText(reason)
  if (actsWithReason.has(act) && why.length < reasonMin)
    throw badRequest('Enter a reason. The author will see it', { fields: ['reason'] })
  await ctx.transact(async (tx, emit) => {
    const reports = await lockReports(tx, ref)
    const [subject] = await listSubjectsOf(tx, ref.kind, [ref.id])
    if (reports.all === 0 || subject === undefined) throw notFound('This report')
    if (act === 'dismiss' && reports.open === 0) throw conflict('There are no open reports about this')
    const change = await acts[act]({ tx, emit, by, ref, subject, reason: why, until, now: ctx.now() })
    if (act !== 'restore') await closeReports(tx, ref)
    const name = subject.title || subject.author.name
    await recordAct(tx, by, { action: `report.${act}`, subject: { ...ref, name }, reason: why, ...change })
    const notice = noticeOf(act, ref, subject, why)
    if (notice) await notify(tx, emit, notice)
  })
  return readCase(ctx, ref)
}
