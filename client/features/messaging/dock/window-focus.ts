import { type RefObject, useEffect, useRef } from 'react'
import { closeWindow, messagingStore, minimizeOldest, openWindow, setListOpen } from '../messaging.store.ts'
import { windowRoom } from './window-room.ts'

/** Opens or closes the list of chats. Before the list opens, the least recently used windows are minimized to make room. */
export function pressList(isOpen: boolean): void {
  messagingStore.set((state) => void (state.pressedList = isOpen))
  if (isOpen) minimizeOldest(windowRoom().besideList)
  setListOpen(isOpen)
}

/** Returns a ref for the button that replaces the pressed one. That button gets focus, so that focus is not lost. */
export function useDockListFocus(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (messagingStore.get().pressedList !== isOpen) return
    messagingStore.set((state) => void (state.pressedList = undefined))
    button.current?.focus()
  }, [isOpen])
  return button
}

/** Opens a chat window and focuses it. When the window closes, focus returns to the element that opened it. */
export function focusWindow(chatId: string): void {
  const from = document.activeElement
  messagingStore.set((state) => {
    state.wantedFocus = chatId
    if (from !== null && from !== document.body) state.openers[chatId] = () => from
  })
  openWindow(chatId)
}

/** True once for each window that the dealer opens. False for windows restored after a reload. */
export function takesFocus(chatId: string): boolean {
  if (messagingStore.get().wantedFocus !== chatId) return false
  messagingStore.set((state) => void (state.wantedFocus = undefined))
  return true
}

export function leaveWindow(chatId: string): void {
  closeWindow(chatId)
  const opener = messagingStore.get().openers[chatId]?.()
  const target = opener?.isConnected === true ? opener : document.querySelector('[data-dock-home]')
  messagingStore.set((state) => void delete state.openers[chatId])
  if (target instanceof HTMLElement) target.focus()
}
