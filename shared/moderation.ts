export const reportKinds = ['post', 'comment', 'message', 'dealer'] as const
export type ReportKind = (typeof reportKinds)[number]

export const reportReasons = {
  misleading: 'Misleading or false vehicle information',
  fraud: 'Fraud, scam or non-payment',
  spam: 'Spam or advertising',
  abuse: 'Harassment or abusive language',
  private: 'Shows private or personal information',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons
export const reportReasonKeys = Object.keys(reportReasons) as ReportReason[]

/** `hide` and `restore` apply only to content. A dealer can be suspended, but not hidden. */
export const moderationActs = ['hide', 'restore', 'warn', 'suspend', 'dismiss'] as const
export type ModerationAct = (typeof moderationActs)[number]

/** Data that two accounts in one auction may have in common, with the text to display. */
export const sharedSignals = {
  dealership: 'dealership',
  license: 'license or Auction Access number',
  address: 'street address',
  device: 'device',
  card: 'payment card',
} as const
export type SharedSignal = keyof typeof sharedSignals
export const sharedSignalKeys = Object.keys(sharedSignals) as SharedSignal[]

export const reportDetailsMax = 1_000
