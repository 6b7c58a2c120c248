import { Suspense } from 'react'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { askToReport, reporting } from '#client/lib/screen/report-subject.ts'

const ReportDialog = lazyPart(async () => (await import('./moderation-report-dialog.tsx')).ReportDialog)

export function ReportHost() {
  const subject = reporting.use((state) => state.subject)
  if (subject === undefined) return null
  return (
    <Suspense>
      <ReportDialog key={subject.id} subject={subject} onClose={() => askToReport(undefined)} />
    </Suspense>
  )
}
