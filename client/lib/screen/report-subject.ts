import type { ReportKind } from '#shared/moderation.ts'
import { defineSlice } from '../storage/store-slice.ts'

export interface ReportSubject {
  kind: ReportKind
  id: string
  name: string
}

export const reporting = defineSlice<{ subject: ReportSubject | undefined }>('reporting', () => ({
  subject: undefined,
}))

export const askToReport = (subject: ReportSubject | undefined): void =>
  reporting.set((state) => void (state.subject = subject))
