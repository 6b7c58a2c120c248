import { type ModerationAct, type ReportKind, reportKinds } from '#shared/moderation.ts'
import { Id } from '#shared/values.ts'
import type { CaseDecision, CasesPage, CasesQuery, FlaggedBids, ModerationCase } from '#shared/schemas/moderation.ts'
import { notFound } from '#server/errors.ts'
import { actsAbout } from '#server/features/audit/audit.service.ts'
import { flaggedBids } from '#server/features/auctions/shared-accounts/shared-accounts.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
import { countSubjects, listReports, listSubjects, type SubjectRef } from './moderation.repository.ts'
import { listSubjectsOf } from './moderation-subjects.repository.ts'

const pageSize = 20

async function listDecisions(ctx: Context, ids: string[]): Promise<Map<string, CaseDecision[]>> {
  const bySubject = new Map<string, CaseDecision[]>()
  for (const { action, actorName, reason, at, subjectId } of await actsAbout(ctx, ids, 'report')) {
    const act = action.slice('report.'.length) as ModerationAct
    bySubject.set(subjectId, [...(bySubject.get(subjectId) ?? []), { act, by: actorName, reason, at }])
  }
  return bySubject
}

/** Lists the flagged bids of a case. Only a case with a report by the network itself has any. */
const listFlagged = async (
  ctx: Context,
  kind: ReportKind,
  id: string,
  reports: Awaited<ReturnType<typeof listReports>>,
): Promise<FlaggedBids[]> =>
  (kind === 'post' || kind === 'dealer') &&
  reports.some(({ subjectId, reporter }) => subjectId === id && reporter === null)
    ? flaggedBids(ctx.db, kind, id)
    : []

async function readCases(ctx: Context, refs: SubjectRef[]): Promise<ModerationCase[]> {
  if (refs.length === 0) return []
  const ids = refs.map(({ id }) => id)
  const ofKind = (kind: ReportKind) => refs.filter((ref) => ref.kind === kind).map(({ id }) => id)
  const [subjects, reports, decisions] = await Promise.all([
    Promise.all(reportKinds.map((kind) => listSubjectsOf(ctx.db, kind, ofKind(kind)))),
    listReports(ctx.db, ids),
    listDecisions(ctx, ids),
  ])
  const byId = new Map(subjects.flat().map((subject) => [subject.id, subject]))
  const flags = new Map(
    await Promise.all(refs.map(async ({ kind, id }) => [id, await listFlagged(ctx, kind, id, reports)] as const)),
  )
  return refs.flatMap(({ kind, id }) => {
    const subject = byId.get(id)
    if (subject === undefined) return []
    const { id: subjectId, createdAt, ...rest } = subject
    const own = reports.filter((report) => report.subjectId === id)
    return {
      ...rest,
      kind,
      subjectId,
      createdAt: createdAt.toISOString(),
      state: own.some(({ decided }) => !decided) ? 'open' : 'decided',
      flags: flags.get(id) ?? [],
      reports: own,
      decisions: decisions.get(id) ?? [],
    } as const
  })
}

export async function casesPage(ctx: Context, { state, cursor }: CasesQuery): Promise<CasesPage> {
  const before = cursor === undefined ? undefined : decodeCursor(Id, cursor)
  const [refs, counts] = await Promise.all([
    listSubjects(ctx.db, { state, limit: pageSize, before }),
    countSubjects(ctx.db),
  ])
  const shown = refs.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    cases: await readCases(ctx, shown),
    counts,
    nextCursor: refs.length > pageSize && last ? encodeCursor(last.newestId) : null,
  }
}

/** @throws 404 if nobody has reported the subject */
export async function readCase(ctx: Context, ref: SubjectRef): Promise<ModerationCase> {
  const [found] = await readCases(ctx, [ref])
  if (found === undefined) throw notFound('This report')
  return found
}
