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

/** A dealer can have only one open report per subject. */
export const NewReport = Type.Object({
  kind: oneOf(reportKinds),
  subjectId: Id,
  reason: oneOf(reportReasonKeys),
  details: Type.Optional(Type.String({ maxLength: reportDetailsMax })),
})
export type NewReport = Static<typeof NewReport>

export const ReportReceipt = Type.Object({ id: Id })
export type ReportReceipt = Static<typeof ReportReceipt>

const caseStates = ['open', 'decided'] as const
export type CaseState = (typeof caseStates)[number]

export const CasesQuery = Type.Object({
  state: oneOf(caseStates, { default: 'open' }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type CasesQuery = Static<typeof CasesQuery>

export const Person = Type.Object({ id: Id, name: Type.String() })

export const CaseReport = Type.Object({
  id: Id,
  /** Null if the report was created automatically. */
  reporter: Nullable(Person),
  reason: oneOf(reportReasonKeys),
  details: Type.String(),
  createdAt: Timestamp,
  decided: Type.Boolean(),
})
export type CaseReport = Static<typeof CaseReport>

export const ContextLine = Type.Object({
  id: Id,
  author: Type.String(),
  text: Type.String(),
  createdAt: Timestamp,
  isSubject: Type.Boolean(),
})
export type ContextLine = Static<typeof ContextLine>

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
  /** The bidder's pseudonym in the auction. Null for the seller. */
  number: Nullable(Type.Integer()),
})

/** A bidder who has data in common with the seller or an earlier bidder. Only staff see flags, and a flagged bidder can still bid. */
export const AuctionFlag = Type.Object({
  bidder: Sharer,
  other: Sharer,
  signals: Type.Array(oneOf(sharedSignalKeys)),
  flaggedAt: Timestamp,
})
export type AuctionFlag = Static<typeof AuctionFlag>

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

export const ModerationCase = Type.Object({
  kind: oneOf(reportKinds),
  subjectId: Id,
  state: oneOf(caseStates),
  author: Type.Object({
    id: Id,
    name: Type.String(),
    dealershipName: Type.String(),
    avatar: Nullable(Type.String()),
    suspended: Type.Boolean(),
  }),
  /** Title of the post or, for a comment, of its post. Empty for messages and dealers. */
  title: Type.String(),
  text: Type.String(),
  photoUrl: Nullable(Type.String()),
  attachment: Nullable(Type.Object({ url: Type.String(), name: Nullable(Type.String()), isPicture: Type.Boolean() })),
  path: Nullable(Type.String()),
  createdAt: Timestamp,
  hidden: Type.Boolean(),
  deleted: Type.Boolean(),
  /** For a message: some messages before and after it, but never the whole chat. */
  context: Type.Array(ContextLine),
  /** For a post: bids of bidders who share data with its seller. For a dealer: bids of the dealer and of bidders who share data. */
  flags: Type.Array(FlaggedBids),
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

/** `reason` is required except for `dismiss` and `restore`. The author sees it. For `suspend`, a null `until` means no end. */
export const ModerationDecision = Type.Object({
  act: oneOf(moderationActs),
  reason: Type.Optional(Type.String({ maxLength: reasonMax })),
  until: Type.Optional(Nullable(Timestamp)),
})
export type ModerationDecision = Static<typeof ModerationDecision>
