import { useEffect, useState } from 'react'
import { forgetAttempt, keyOfAttempt } from '#client/lib/attempts.ts'
import type { Stored } from '#client/lib/storage.ts'

interface DraftOptions<Draft> {
  name: string
  dealerId: string
  /** By dealer. */
  stored: Stored<Draft>
  empty: () => Draft
  /** Whether there is anything worth keeping. */
  isTouched: (draft: Draft) => boolean
}

/** A draft of the signed-in dealer, kept in this browser until it is posted or thrown away. */
export function useDraft<Draft extends object>({ name, dealerId, stored, empty, isTouched }: DraftOptions<Draft>) {
  const attempt = `${name}.${dealerId}`
  const [kept] = useState(() => stored.read(dealerId))
  const [draft, setDraft] = useState<Draft>(() => kept ?? empty())
  const touched = isTouched(draft)
  useEffect(() => stored.write(touched ? draft : undefined, dealerId), [stored, dealerId, draft, touched])
  // Of the store at once: by now nobody may look at it any more, and no effect would follow.
  const discard = () => {
    stored.write(undefined, dealerId)
    forgetAttempt(attempt)
    setDraft(empty())
  }
  return {
    draft,
    setDraft,
    discard,
    /** The idempotency key with which this content of the draft is sent. */
    attempt: (content: object) => keyOfAttempt(attempt, content),
    touched,
    wasKept: kept !== undefined,
  }
}
