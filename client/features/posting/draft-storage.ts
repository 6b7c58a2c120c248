import { useEffect, useState } from 'react'
import { newId } from '#client/lib/new-id.ts'

const prefix = 'lanewire:draft'

interface DraftOptions<Draft> {
  name: string
  dealerId: string
  empty: () => Draft
  /** Whether there is anything worth keeping. */
  isTouched: (draft: Draft) => boolean
}

/** A draft of the signed-in dealer, kept in this browser until it is posted or thrown away. */
export function useDraft<Draft extends object>({ name, dealerId, empty, isTouched }: DraftOptions<Draft>) {
  const key = `${prefix}:${name}:${dealerId}`
  const [kept] = useState(() => read<Draft>(key))
  const [draft, setDraft] = useState<Draft>(() => ({ ...empty(), ...kept }))
  const touched = isTouched(draft)
  useEffect(() => write(key, touched ? draft : undefined), [key, draft, touched])
  // Of the store at once: by now nobody may look at it any more, and no effect would follow.
  const discard = () => {
    write(key, undefined)
    forgetAttempt(key)
    setDraft(empty())
  }
  return {
    draft,
    setDraft,
    discard,
    /** The idempotency key with which this content of the draft is sent. */
    attempt: (content: object) => keyOfAttempt(key, content),
    touched,
    wasKept: kept !== undefined,
  }
}

interface Attempt {
  id: string
  content: string
}

const attempts = new Map<string, Attempt>()
const attemptKey = (key: string) => `${key}:sent`

/**
 * What is sent again unchanged, after a lost answer, a reload, or by a form that was opened again, has the key of the
 * first time: the server then makes one post of it. What was edited since is sent as something new.
 */
function keyOfAttempt(key: string, sent: object): string {
  const content = JSON.stringify(sent)
  const last = attempts.get(key) ?? read<Attempt>(attemptKey(key))
  if (last?.content === content && last.id !== undefined) return last.id
  const attempt = { id: newId(), content }
  attempts.set(key, attempt)
  write(attemptKey(key), attempt)
  return attempt.id
}

function forgetAttempt(key: string): void {
  attempts.delete(key)
  write(attemptKey(key), undefined)
}

/** What another version of the client wrote may have another shape: the caller's empty draft fills the gaps. */
function read<Draft>(key: string): Partial<Draft> | undefined {
  try {
    const text = localStorage.getItem(key)
    const value: unknown = text === null ? undefined : JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function write(key: string, draft: object | undefined): void {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft))
    else localStorage.removeItem(key)
  } catch {
    // A full or forbidden store: the draft lives as long as the page.
  }
}
