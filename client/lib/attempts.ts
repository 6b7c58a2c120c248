import { isShape, isText } from './guards.ts'
import { newId } from './new-id.ts'
import { defineSlice } from './slice.ts'
import { defineStored } from './storage.ts'

/** What was sent last, and the idempotency key that it went with. */
interface Attempt {
  id: string
  content: string
}

/** Beside the storage, which may be full or forbidden. */
const attempts = defineSlice<{ byName: Record<string, Attempt> }>('attempts', () => ({ byName: {} }))
const stored = defineStored<Attempt>({
  key: 'lanewire.sent',
  version: 1,
  isValue: isShape<Attempt>({ id: isText, content: isText }),
})

/**
 * What is sent again unchanged, after a lost answer, a reload, or by a form that was opened again, has the key of the
 * first time: the server then does it once. What was edited since is sent as something new.
 */
export function keyOfAttempt(name: string, sent: unknown): string {
  const content = JSON.stringify(sent)
  const last = attempts.get().byName[name] ?? stored.read(name)
  if (last?.content === content) return last.id
  const attempt = { id: newId(), content }
  attempts.set(({ byName }) => void (byName[name] = attempt))
  stored.write(attempt, name)
  return attempt.id
}

/** It was answered, or given up: the same again is something new. */
export function forgetAttempt(name: string): void {
  attempts.set(({ byName }) => void delete byName[name])
  stored.write(undefined, name)
}
