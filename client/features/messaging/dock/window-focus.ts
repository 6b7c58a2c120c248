import { type RefObject, useEffect, useRef } from 'react'
import { closeWindow, messagingStore, openWindow, setListOpen } from '../messaging.store.ts'

/** Opens or closes the list on somebody's press. */
export function pressList(isOpen: boolean): void {
  messagingStore.set((state) => void (state.pressedList = isOpen))
  setListOpen(isOpen)
}

/** For the button beside the open or closed list: it stands in for the pressed one, which is gone with its focus. */
export function useDockListFocus(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (messagingStore.get().pressedList !== isOpen) return
    messagingStore.set((state) => void (state.pressedList = undefined))
    button.current?.focus()
  }, [isOpen])
  return button
}

/** Opens a chat's window on somebody's press: it takes the focus, and gives it back when it is closed. */
export function focusWindow(chatId: string): void {
  const from = document.activeElement
  messagingStore.set((state) => {
    state.wantedFocus = chatId
    if (from !== null && from !== document.body) state.openers[chatId] = () => from
  })
  openWindow(chatId)
}

/** Whether this window takes the focus now: once per press, and not for windows that a reload brings back. */
export function takesFocus(chatId: string): boolean {
  if (messagingStore.get().wantedFocus !== chatId) return false
  messagingStore.set((state) => void (state.wantedFocus = undefined))
  return true
}

/** Closes a window. The focus goes back to where it came from, or to the dock. */
export function leaveWindow(chatId: string): void {
  closeWindow(chatId)
  const opener = messagingStore.get().openers[chatId]?.()
  const target = opener?.isConnected === true ? opener : document.querySelector('[data-dock-home]')
  messagingStore.set((state) => void delete state.openers[chatId])
  if (target instanceof HTMLElement) target.focus()
}
