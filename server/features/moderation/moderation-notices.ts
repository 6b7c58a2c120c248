import type { ModerationAct, ReportKind } from '#shared/moderation.ts'
import type { Notice } from '#server/features/notifications/notifications.service.ts'
import type { SubjectRef } from './moderation.repository.ts'
import type { Subject } from './moderation-subjects.repository.ts'

/** What it is to its author. */
const names: Record<ReportKind, (subject: Subject) => string> = {
  post: ({ title }) => `your post "${title}"`,
  comment: ({ title }) => `your comment on "${title}"`,
  message: () => 'a message of yours',
  dealer: () => 'your account',
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const titles: Partial<Record<ModerationAct, (name: string) => string>> = {
  hide: (name) => `${upperFirst(name)} was hidden by a moderator`,
  restore: (name) => `${upperFirst(name)} is visible again`,
  warn: (name) => `Warning about ${name}`,
}

/** Where the author finds it. */
const paths: Partial<Record<ReportKind, string>> = { message: '/messages', dealer: '/dealer-profile' }

/** What the author is told, if anything: who is suspended reads it at the sign-in, and a dismissed report stays unsaid. */
export function noticeOf(
  act: ModerationAct,
  { kind }: SubjectRef,
  subject: Subject,
  reason: string,
): Notice | undefined {
  const title = titles[act]?.(names[kind](subject))
  if (title === undefined) return undefined
  const path = paths[kind] ?? subject.path ?? '/'
  return { dealerId: subject.author.id, kind: 'moderation', title, body: reason, path }
}
