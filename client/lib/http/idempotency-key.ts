import { isShape, isText } from './type-guards.ts'
import { newId } from './new-id.ts'
import { defineSlice } from '../storage/store-slice.ts'
import { defineStored } from '../storage/browser-storage.ts'

interface Attempt {
  id: string
  content: string
}

/** The keys are kept in memory, too, because browser storage may be full or blocked. */
const attempts = defineSlice<{ byName: Record<string, Attempt> }>('attempts', () => ({ byName: {} }))
const stored = defineStored<Attempt>({
  key: 'lanewire.sent',
  version: 1,
  isValue: isShape<Attempt>({ id: isText, content: isText }),
})

/** Returns the idempotency key for a form's content. New content gets a new key, so the server processes each content once. */
export function idempotencyKeyOf(name: string, sent: unknown): string {
  const content = JSON.stringify(sent)
  const last = attempts.get().byName[name] ?? stored.read(name)
  if (last?.content === content) return last.id
  const attempt = { id: newId(), content }
  attempts.set(({ byName }) => void (byName[name] = attempt))
  stored.write(attempt, name)
  return attempt.id
}

/** Call this after a response, or when the user gives up. Sending the same content again then counts as a new request. */
export function forgetIdempotencyKey(name: string): void {
  attempts.set(({ byName }) => void delete byName[name])
  stored.write(undefined, name)
}
