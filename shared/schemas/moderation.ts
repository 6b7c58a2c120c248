import Type, { type Static } from 'typebox'
import {
  moderationActs,
  reportDetailsMax,
  reportKinds,
  reportReasonKeys,
  sharedSignalKeys,
} from '#shared/moderation.ts'
import { reasonMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

/** POST /api/reports: one open report per dealer and subject. */
export const NewReport = Type.Object({
  kind: oneOf(reportKinds),
  subjectId: Id,
  reason: oneOf(reportReasonKeys),
  details: Type.Optional(Type.String({ maxLength: reportDetailsMax })),
})
export type NewReport = Static<typeof NewReport>

/** The answer to a report. */
export const ReportReceipt = Type.Object({ id: Id })
export type ReportReceipt = Static<typeof ReportReceipt>

const caseStates = ['open', 'decided'] as const
export type CaseState = (typeof caseStates)[number]

/** GET /api/admin/moderation. `cursor` comes from the page before. */
export const CasesQuery = Type.Object({
  state: oneOf(caseStates, { default: 'open' }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type CasesQuery = Static<typeof CasesQuery>

export const Person = Type.Object({ id: Id, name: Type.String() })

/** One report of a case. */
export const CaseReport = Type.Object({
  id: Id,
  /** Null: the network itself, by what it noticed. */
  reporter: Nullable(Person),
  reason: oneOf(reportReasonKeys),
  details: Type.String(),
  createdAt: Timestamp,
  /** False: it waits for a decision. */
  decided: Type.Boolean(),
})
export type CaseReport = Static<typeof CaseReport>

/** A line of what stands around the reported one, the reported one included. */
export const ContextLine = Type.Object({
  id: Id,
  author: Type.String(),
  text: Type.String(),
  createdAt: Timestamp,
  isSubject: Type.Boolean(),
})
export type ContextLine = Static<typeof ContextLine>

/** What admins did about a subject, newest first: read from the audit log. */
export const CaseDecision = Type.Object({
  act: oneOf(moderationActs),
  by: Type.String(),
  reason: Type.String(),
  at: Timestamp,
})
export type CaseDecision = Static<typeof CaseDecision>

const Sharer = Type.Object({
  ...Person.properties,
  dealershipName: Type.String(),
  /** The pseudonym in the auction; null: its seller. */
  number: Nullable(Type.Integer()),
})

/** A bidder who has something in common with the seller or with an earlier bidder: for staff alone. Nobody's bid is refused for it. */
export const AuctionFlag = Type.Object({
  bidder: Sharer,
  other: Sharer,
  signals: Type.Array(oneOf(sharedSignalKeys)),
  flaggedAt: Timestamp,
})
export type AuctionFlag = Static<typeof AuctionFlag>

/** The same with the auction, and what the two have bid there, newest first. */
export const FlaggedBids = Type.Object({
  ...AuctionFlag.properties,
  postId: Id,
  title: Type.String(),
  bids: Type.Array(
    Type.Object({
      bidder: Type.Integer(),
      amount: Type.Number({ description: 'US dollars' }),
      auto: Type.Boolean(),
      at: Timestamp,
    }),
  ),
})
export type FlaggedBids = Static<typeof FlaggedBids>

/** Everything reported about one subject, with the subject in its context. */
export const ModerationCase = Type.Object({
  kind: oneOf(reportKinds),
  subjectId: Id,
  state: oneOf(caseStates),
  /** Whose it is; of a dealer the dealer. */
  author: Type.Object({
    id: Id,
    name: Type.String(),
    dealershipName: Type.String(),
    avatar: Nullable(Type.String()),
    suspended: Type.Boolean(),
  }),
  /** The post's title, or the post that was commented on; empty for messages and dealers. */
  title: Type.String(),
  text: Type.String(),
  /** Of a post: its first photo. */
  photoUrl: Nullable(Type.String()),
  /** What came with a comment or message. */
  attachment: Nullable(Type.Object({ url: Type.String(), name: Nullable(Type.String()), isPicture: Type.Boolean() })),
  /** Where in the app it stands; null where an admin cannot go. */
  path: Nullable(Type.String()),
  createdAt: Timestamp,
  hidden: Type.Boolean(),
  /** Its author has taken it away meanwhile. */
  deleted: Type.Boolean(),
  /** Of a message: those around it, and no others of the chat. */
  context: Type.Array(ContextLine),
  /** Of a post: bidders who have something in common with its seller; of a dealer: with other bidders. */
  flags: Type.Array(FlaggedBids),
  /** Newest first. */
  reports: Type.Array(CaseReport),
  decisions: Type.Array(CaseDecision),
})
export type ModerationCase = Static<typeof ModerationCase>

export const CasesPage = Type.Object({
  cases: Type.Array(ModerationCase),
  counts: Type.Object({ open: Type.Integer(), decided: Type.Integer() }),
  nextCursor: Nullable(Type.String()),
})
export type CasesPage = Static<typeof CasesPage>

/**
 * POST /api/admin/moderation/{kind}/{id}: `reason` is needed for everything but `dismiss` and `restore`, and is what
 * the author reads. `until` is for `suspend` alone; null has no end.
 */
export const ModerationDecision = Type.Object({
  act: oneOf(moderationActs),
  reason: Type.Optional(Type.String({ maxLength: reasonMax })),
  until: Type.Optional(Nullable(Timestamp)),
})
export type ModerationDecision = Static<typeof ModerationDecision>
