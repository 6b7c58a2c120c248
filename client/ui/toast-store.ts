import { useEffect, useSyncExternalStore } from 'react'
import { reasonOf, reasonOr } from '#client/lib/api.ts'
import { toastRemoveDelayMs } from '#shared/limits.ts'

export interface ToastInput {
  title: string
  description?: string
  /** destructive: red and announced at once. */
  variant?: 'default' | 'destructive'
  /** Where it leads; the first is what it is about. */
  links?: readonly { label: string; path: string }[]
}

export interface ToastEntry extends ToastInput {
  id: number
  open: boolean
  /** Stays until it is let go: by its dealer, or by who holds it. */
  heldAs?: string
}

interface HeldToast {
  shown: ToastInput & { heldAs: string }
  onLetGo: () => void
}

/** What is shown, and who is told of it. The public pages load this: no store of a library's is worth its size there. */
function createToasts() {
  let entry: ToastEntry | undefined
  let held: HeldToast | undefined
  const listeners = new Set<() => void>()
  const set = (next: ToastEntry | undefined) => {
    entry = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => entry,
    set,
    show: (input: ToastInput & { heldAs?: string }) => set({ ...input, id: (entry?.id ?? 0) + 1, open: true }),
    held: () => held,
    hold: (next: HeldToast | undefined) => void (held = next),
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
  toasts.show(input)
}

/**
 * As {@link toast}, for what stays so until {@link releaseToast}: another toast covers it for its own time only.
 * @param onLetGo its dealer has dismissed it, or followed one of its links
 */
export function holdToast(heldAs: string, input: ToastInput, onLetGo: () => void): void {
  const shown = { ...input, heldAs }
  toasts.hold({ shown, onLetGo })
  toasts.show(shown)
}

/** What was held is so no more. */
export function releaseToast(heldAs: string): void {
  if (toasts.held()?.shown.heldAs !== heldAs) return
  toasts.hold(undefined)
  if (toasts.get()?.heldAs === heldAs) dismissToast()
}

/** Says why something was not done: in the server's words, or in the sentence that is documented for it. */
export function toastFailure(title: string, error: unknown, otherwise?: string): void {
  const description = otherwise === undefined ? reasonOf(error) : reasonOr(otherwise, error)
  toast({ title, description, variant: 'destructive' })
}

/** Hides the toast, by default whichever is shown; it leaves memory 1,000,000 ms later. One that is held comes back from under it. */
export function dismissToast(id = toasts.get()?.id): void {
  const entry = toasts.get()
  if (entry === undefined || entry.id !== id || !entry.open) return
  const held = toasts.held()
  if (held !== undefined && entry.heldAs === undefined) return toasts.show(held.shown)
  toasts.hold(undefined)
  const closed = { ...entry, open: false }
  toasts.set(closed)
  setTimeout(() => {
    if (toasts.get() === closed) toasts.set(undefined)
  }, toastRemoveDelayMs)
  held?.onLetGo()
}

export const useToast = (): ToastEntry | undefined => useSyncExternalStore(toasts.subscribe, toasts.get)

/** Hides a toast that says what a dialog already says. */
export function useDismissSaid(words: string): void {
  const said = useToast()
  useEffect(() => {
    if (said?.open && said.description === words) dismissToast(said.id)
  }, [said, words])
}
