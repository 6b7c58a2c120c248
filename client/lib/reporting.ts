import type { ReportKind } from '#shared/moderation.ts'
import { defineSlice } from './slice.ts'

/** What a dealer wants to report. `name` is how the dialog calls it. */
export interface ReportSubject {
  kind: ReportKind
  id: string
  name: string
}

/** The frame of the app shows the dialog; any feature may ask for it, on any page. */
export const reporting = defineSlice<{ subject: ReportSubject | undefined }>('reporting', () => ({
  subject: undefined,
}))

export const askToReport = (subject: ReportSubject | undefined): void =>
  reporting.set((state) => void (state.subject = subject))
