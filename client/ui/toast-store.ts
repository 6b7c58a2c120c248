import { useSyncExternalStore } from 'react'
import { reasonOf, reasonOr } from '#client/lib/api.ts'
import { toastRemoveDelayMs } from '#shared/limits.ts'

export interface ToastInput {
  title: string
  description?: string
  /** destructive: red and announced at once. */
  variant?: 'default' | 'destructive'
}

export interface ToastEntry extends ToastInput {
  id: number
  open: boolean
}

/** What is shown, and who is told of it. The public pages load this: no store of a library's is worth its size there. */
function createToasts() {
  let entry: ToastEntry | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => entry,
    set: (next: ToastEntry | undefined) => {
      entry = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Not a slice of the dealer's store: what is said at signing out is read by who is signed out. */
const toasts = createToasts()

/**
 * Shows a toast, from anywhere; one at a time, so the newest replaces the last.
 * Not for what the screen already shows by itself.
 */
export function toast(input: ToastInput): void {
  toasts.set({ ...input, id: (toasts.get()?.id ?? 0) + 1, open: true })
}

/** Says why something was not done: in the server's words, or in the sentence that is documented for it. */
export function toastFailure(title: string, error: unknown, otherwise?: string): void {
  const description = otherwise === undefined ? reasonOf(error) : reasonOr(otherwise, error)
  toast({ title, description, variant: 'destructive' })
}

/** Hides the toast, by default whichever is shown; it leaves memory 1,000,000 ms later. */
export function dismissToast(id = toasts.get()?.id): void {
  const entry = toasts.get()
  if (entry === undefined || entry.id !== id || !entry.open) return
  const closed = { ...entry, open: false }
  toasts.set(closed)
  setTimeout(() => {
    if (toasts.get() === closed) toasts.set(undefined)
  }, toastRemoveDelayMs)
}

export const useToast = (): ToastEntry | undefined => useSyncExternalStore(toasts.subscribe, toasts.get)
