import type { ReportKind, ReportReason } from '#shared/moderation.ts'
import type { Tx } from '#server/platform/db.ts'
import { insertOwnReport } from './moderation.repository.ts'

/** What the network noticed by itself, for the moderators. Where such a report of the thing is open already it stands for this one. */
export const reportAsNetwork = (
  tx: Tx,
  report: { kind: ReportKind; subjectId: string; authorId: string; reason: ReportReason; details: string },
): Promise<void> => insertOwnReport(tx, report)
