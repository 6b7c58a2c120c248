import { useEffect, useSyncExternalStore } from 'react'
import { reasonOf, reasonOr } from '#client/lib/http/api.ts'
import { toastRemoveDelayMs } from '#shared/limits.ts'

export interface ToastInput {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  links?: readonly { label: string; path: string }[]
}

export interface ToastEntry extends ToastInput {
  id: number
  open: boolean
  /** Name of a toast that stays until it is dismissed or released. Undefined for other toasts. */
  heldAs?: string
}

interface HeldToast {
  shown: ToastInput & { heldAs: string }
  onLetGo: () => void
}

/** Not part of the tab's store: public pages load this file, too, and a toast shown at sign-out must survive the store's reset. */
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

const toasts = createToasts()

/** Shows a toast, which replaces the previous one. Do not use it for information that the screen already shows. */
export function toast(input: ToastInput): void {
  toasts.show(input)
}

/**
 * Shows a toast that stays until {@link releaseToast}. Other toasts hide it only temporarily.
 * @param onLetGo called when the dealer dismisses the toast or follows one of its links
 */
export function holdToast(heldAs: string, input: ToastInput, onLetGo: () => void): void {
  const shown = { ...input, heldAs }
  toasts.hold({ shown, onLetGo })
  toasts.show(shown)
}

/** Removes a held toast. Call this once the reason for the toast no longer applies. */
export function releaseToast(heldAs: string): void {
  if (toasts.held()?.shown.heldAs !== heldAs) return
  toasts.hold(undefined)
  if (toasts.get()?.heldAs === heldAs) dismissToast()
}

/** Shows why an action failed: the server's message or, if there is none, `otherwise`. */
export function toastFailure(title: string, error: unknown, otherwise?: string): void {
  const description = otherwise === undefined ? reasonOf(error) : reasonOr(otherwise, error)
  toast({ title, description, variant: 'destructive' })
}

/** Hides a toast, by default the current one. If that toast hid a held toast, shows the held toast again. */
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

/** Hides the current toast if a dialog already shows its text. */
export function useDismissShown(words: string): void {
  const shown = useToast()
  useEffect(() => {
    if (shown?.open && shown.description === words) dismissToast(shown.id)
  }, [shown, words])
}
