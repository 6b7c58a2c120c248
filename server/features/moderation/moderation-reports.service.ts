import type { NewReport, ReportReceipt } from '#shared/schemas/moderation.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint } from '#server/platform/db.ts'
import type { Actor } from '#server/platform/session.ts'
import { insertReport } from './moderation.repository.ts'
import { findAuthorOf } from './moderation-subjects.repository.ts'

const reportLimit = { name: 'reports', max: 20, seconds: 3_600 }

/**
 * Reports what the dealer can see to the moderators; its author is not told by whom.
 * @throws 404 for what is not there or not theirs to see, 400 for their own, 409 while their last report of it is open,
 * 429 above 20 an hour
 */
export async function report(ctx: Context, actor: Actor, input: NewReport): Promise<ReportReceipt> {
  await ctx.limiter.consume(reportLimit, actor.dealerId)
  const authorId = await findAuthorOf(ctx.db, input.kind, input.subjectId, actor.dealerId)
  if (authorId === undefined) throw notFound(`This ${input.kind}`)
  if (authorId === actor.dealerId) throw badRequest('You cannot report what is your own')
  try {
    return { id: await ctx.transact((tx) => insertReport(tx, actor.dealerId, authorId, input)) }
  } catch (error) {
    if (brokenConstraint(error) === 'reports_open') throw conflict('You have reported this. We are looking at it')
    throw error
  }
}
