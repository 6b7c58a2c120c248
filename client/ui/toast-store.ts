import { useSyncExternalStore } from 'react'
import { reasonOf } from '#client/lib/api.ts'
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

let entry: ToastEntry | undefined
let nextId = 1
let removal: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: ToastEntry | undefined) {
  entry = next
  for (const listener of listeners) listener()
}

/**
 * Shows a toast, from anywhere; one at a time, so the newest replaces the last.
 * Not for what the screen already shows by itself.
 */
export function toast(input: ToastInput): void {
  clearTimeout(removal)
  set({ ...input, id: nextId++, open: true })
}

/** Says why something was not done; `otherwise` where the error has no words. */
export function toastFailure(title: string, error: unknown, otherwise = ''): void {
  toast({ title, description: reasonOf(error) || otherwise, variant: 'destructive' })
}

/** Hides the toast, by default whichever is shown; it leaves memory 1,000,000 ms later. */
export function dismissToast(id = entry?.id): void {
  if (entry === undefined || entry.id !== id || !entry.open) return
  set({ ...entry, open: false })
  clearTimeout(removal)
  removal = setTimeout(() => {
    if (entry?.id === id) set(undefined)
  }, toastRemoveDelayMs)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useToast(): ToastEntry | undefined {
  return useSyncExternalStore(subscribe, () => entry)
}
