import type { StaffStage } from './staff-acts.ts'
import { idAt } from './ids.ts'
import type { KnownDealer } from './known-dealers.ts'
import type { Network } from './network.ts'
import type { DemoPost } from './network-posts.ts'

type CaseComment = {
  id: string
  postId: string
  dealerId: string
  content: string
  createdAt: Date
  hiddenAt: Date | null
}

type CaseReport = {
  id: string
  reporterId: string
  subjectKind: 'post' | 'comment' | 'dealer'
  subjectId: string
  authorId: string
  reason: string
  details: string
  createdAt: Date
  decidedAt: Date | null
}

export interface Cases {
  comments: CaseComment[]
  reports: CaseReport[]
}

const rudeReason = 'Keep to the vehicle. Personal remarks do not belong under a post.'

export function readerCases(desk: StaffStage, { posts }: Network): Cases {
  const { random, others, ago, admin, acts } = desk
  const reader = (index: number): KnownDealer => others[index] ?? admin
  const cases: Cases = { comments: [], reports: [] }
  const report = (
    about: { kind: CaseReport['subjectKind']; id: string; author: KnownDealer },
    by: KnownDealer,
    report: { reason: string; details: string; hours: number; decidedAt?: Date },
  ) => {
    const createdAt = ago(report.hours)
    cases.reports.push({
      id: idAt(random, createdAt),
      reporterId: by.id,
      subjectKind: about.kind,
      subjectId: about.id,
      authorId: about.author.id,
      reason: report.reason,
      details: report.details,
      createdAt,
      decidedAt: report.decidedAt ?? null,
    })
  }
  const comment = (post: DemoPost, by: KnownDealer, content: string, hours: number, hiddenAt: Date | null = null) => {
    const createdAt = ago(hours)
    const id = idAt(random, createdAt)
    cases.comments.push({ id, postId: post.id, dealerId: by.id, content, createdAt, hiddenAt })
    return id
  }
  // Choose posts that are old enough to have reports. Their dealers have no other role in the demo story.
  const [first, second, third, fourth] = posts.filter(
    ({ dealer, status, createdAt, vehicles }) =>
      status === 'active' && vehicles.length === 1 && createdAt < ago(6 * 24) && others.includes(dealer),
  )
  if (!first || !second || !third || !fourth) return cases

  const misleading = { kind: 'post', id: first.id, author: first.dealer } as const
  const notThere = 'The seller told me on the phone that this one sold two weeks ago. The post is still up.'
  report(misleading, reader(60), { reason: 'misleading', details: notThere, hours: 20 })
  report(misleading, reader(61), {
    reason: 'misleading',
    details: 'Same car is listed elsewhere with more miles.',
    hours: 7,
  })

  const advert = 'Need floor plan today? Approvals in ten minutes, call me for rates. Works with any credit.'
  const spam = comment(second, reader(62), advert, 15)
  const about = { kind: 'comment', id: spam, author: reader(62) } as const
  report(about, second.dealer, { reason: 'spam', details: 'Posts this under everything.', hours: 13 })

  const owing = 'Wire went out on Monday, still no title and no answer to three messages.'
  report({ kind: 'dealer', id: reader(63).id, author: reader(63) }, reader(64), {
    reason: 'fraud',
    details: owing,
    hours: 44,
  })

  const dismissedAt = ago(92)
  const priced = { kind: 'post', id: third.id, author: third.dealer } as const
  const tooLow = 'Nobody can sell at this price, it must be a bait.'
  report(priced, reader(65), { reason: 'misleading', details: tooLow, hours: 98, decidedAt: dismissedAt })
  acts.push({
    at: dismissedAt,
    by: admin,
    action: 'report.dismiss',
    subject: { kind: 'post', id: third.id, name: third.title },
    reason: 'The seller has shown the invoice. The price is real.',
  })

  const hiddenAt = ago(110)
  const rude = comment(fourth, reader(66), 'Anyone who buys from this clown deserves what they get.', 118, hiddenAt)
  const insult = { kind: 'comment', id: rude, author: reader(66) } as const
  report(insult, fourth.dealer, { reason: 'abuse', details: '', hours: 117, decidedAt: hiddenAt })
  acts.push({
    at: hiddenAt,
    by: admin,
    action: 'report.hide',
    subject: { kind: 'comment', id: rude, name: fourth.title },
    reason: rudeReason,
    before: { hidden: false },
    after: { hidden: true },
  })
  return cases
}
