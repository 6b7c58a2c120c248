import { type RefObject, useEffect, useRef } from 'react'
import { closeWindow, messagingStore, minimizeOldest, openWindow, setListOpen } from '../messaging.store.ts'
import { windowRoom } from './window-room.ts'

/** Opens or closes the list when its button is pressed. To make room for the list, the least recently used windows are minimized. */
export function pressList(isOpen: boolean): void {
  messagingStore.set((state) => void (state.pressedList = isOpen))
  if (isOpen) minimizeOldest(windowRoom().besideList)
  setListOpen(isOpen)
}

/** Returns the ref of the button that replaces the pressed button. The pressed button disappears, so its replacement gets the focus. */
export function useDockListFocus(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (messagingStore.get().pressedList !== isOpen) return
    messagingStore.set((state) => void (state.pressedList = undefined))
    button.current?.focus()
  }, [isOpen])
  return button
}

/** Opens a chat window when the dealer asks for it. The window gets the focus, and returns it when it closes. */
export function focusWindow(chatId: string): void {
  const from = document.activeElement
  messagingStore.set((state) => {
    state.wantedFocus = chatId
    if (from !== null && from !== document.body) state.openers[chatId] = () => from
  })
  openWindow(chatId)
}

/** True if this window must take focus now. This happens once per press, but not for windows restored after a reload. */
export function takesFocus(chatId: string): boolean {
  if (messagingStore.get().wantedFocus !== chatId) return false
  messagingStore.set((state) => void (state.wantedFocus = undefined))
  return true
}

/** Closes a window and returns focus to the element that opened it, or to the dock. */
export function leaveWindow(chatId: string): void {
  closeWindow(chatId)
  const opener = messagingStore.get().openers[chatId]?.()
  const target = opener?.isConnected === true ? opener : document.querySelector('[data-dock-home]')
  messagingStore.set((state) => void delete state.openers[chatId])
  if (target instanceof HTMLElement) target.focus()
}
