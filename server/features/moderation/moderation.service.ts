import type { ModerationAct } from '#shared/moderation.ts'
import type { ModerationCase, ModerationDecision } from '#shared/schemas/moderation.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { suspendWithin } from '#server/features/admin/admin-users.service.ts'
import { recordAct, type By } from '#server/features/audit/audit.service.ts'
import { setMessageHidden } from '#server/features/chats/message-hiding.service.ts'
import { setCommentHidden } from '#server/features/comments/comments.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { setPostHidden } from '#server/features/posts/post-hiding.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { readCase } from './moderation-cases.service.ts'
import { noticeOf } from './moderation-notices.ts'
import { closeReports, lockReports, type SubjectRef } from './moderation.repository.ts'
import { listSubjectsOf, type Subject } from './moderation-subjects.repository.ts'

const reasonMin = 3
const wantsReason = new Set<ModerationAct>(['hide', 'warn', 'suspend'])
const hiding = { post: setPostHidden, comment: setCommentHidden, message: setMessageHidden }

/** Takes it from sight or puts it back. @throws 400 for a dealer, 409 where it is so already */
async function setHidden(tx: Tx, emit: Emit, { kind, id }: SubjectRef, hidden: boolean): Promise<void> {
  if (kind === 'dealer') throw badRequest('A dealer cannot be hidden; suspend the account instead')
  if (!(await hiding[kind](tx, emit, id, hidden)))
    throw conflict(hidden ? `This ${kind} is hidden already` : `This ${kind} is not hidden`)
}

interface Deciding {
  ctx: Context
  tx: Tx
  emit: Emit
  by: By
  ref: SubjectRef
  subject: Subject
  reason: string
  until: string | null
}

/** What each act does; answers what the audit log says of before and after. */
const acts: Record<ModerationAct, (it: Deciding) => Promise<{ before?: object; after?: object }>> = {
  hide: async ({ tx, emit, ref }) => {
    await setHidden(tx, emit, ref, true)
    return { before: { hidden: false }, after: { hidden: true } }
  },
  restore: async ({ tx, emit, ref }) => {
    await setHidden(tx, emit, ref, false)
    return { before: { hidden: true }, after: { hidden: false } }
  },
  warn: async () => ({}),
  suspend: async ({ ctx, tx, emit, by, subject, reason, until }) => {
    await suspendWithin(ctx, { tx, emit }, by, subject.author.id, { reason, until })
    return { after: { author: subject.author.name, until } }
  },
  dismiss: async () => ({}),
}

/**
 * Decides about something that was reported: what is open about it is closed, the author is told, and the audit log has
 * both. What was hidden is put back by `restore`.
 * @throws 404 for what nobody has reported, 400 without a reason, 409 where there is nothing to decide
 */
export async function decide(
  ctx: Context,
  by: By,
  ref: SubjectRef,
  { act, reason = '', until = null }: ModerationDecision,
): Promise<ModerationCase> {
  const why = reason.trim()
  if (wantsReason.has(act) && why.length < reasonMin)
    throw badRequest('Say why: the author reads it', { fields: ['reason'] })
  await ctx.transact(async (tx, emit) => {
    const reports = await lockReports(tx, ref)
    const [subject] = await listSubjectsOf(tx, ref.kind, [ref.id])
    if (reports.all === 0 || subject === undefined) throw notFound('This report')
    if (act === 'dismiss' && reports.open === 0) throw conflict('Nothing is open about this')
    const change = await acts[act]({ ctx, tx, emit, by, ref, subject, reason: why, until })
    if (act !== 'restore') await closeReports(tx, ref)
    const name = subject.title || subject.author.name
    await recordAct(tx, by, { action: `report.${act}`, subject: { ...ref, name }, reason: why, ...change })
    const notice = noticeOf(act, ref, subject, why)
    if (notice) await notify(tx, emit, notice)
  })
  return readCase(ctx, ref)
}
