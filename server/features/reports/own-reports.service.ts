import type { ReportKind, ReportReason } from '#shared/moderation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { insertOwnReport } from './own-reports.repository.ts'

/** Reports something that the network detected. Does nothing if the network's last report on the subject is still open. */
export const reportAsNetwork = (
  tx: Tx,
  report: { kind: ReportKind; subjectId: string; authorId: string; reason: ReportReason; details: string },
): Promise<void> => insertOwnReport(tx, report)
