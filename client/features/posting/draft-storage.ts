import { useEffect, useState } from 'react'

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
    setDraft(empty())
  }
  return { draft, setDraft, discard, touched, wasKept: kept !== undefined }
}

/** What another version of the client wrote may have another shape: the caller's empty draft fills the gaps. */
function read<Draft>(key: string): Partial<Draft> | undefined {
  try {
    const text = localStorage.getItem(key)
    const value: unknown = text === null ? undefined : JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Partial<Draft>) : undefined
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
