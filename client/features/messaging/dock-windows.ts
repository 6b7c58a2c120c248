import { openChatWindows } from '#shared/limits.ts'
import { messagingStore } from './messaging.store.ts'

/** Opens a chat's window, or brings it back in its place; the oldest of three makes room (spec A §4). */
export function openWindow(chatId: string): void {
  messagingStore.set((state) => {
    const used = 1 + Math.max(0, ...state.windows.map((open) => open.used))
    const known = state.windows.find((open) => open.chatId === chatId)
    if (known === undefined) state.windows.push({ chatId, isMinimized: false, used })
    else Object.assign(known, { isMinimized: false, used })
    state.windows.splice(0, Math.max(0, state.windows.length - openChatWindows))
  })
}

export function closeWindow(chatId: string): void {
  messagingStore.set((state) => {
    state.windows = state.windows.filter((open) => open.chatId !== chatId)
  })
}

export function minimizeWindow(chatId: string): void {
  messagingStore.set((state) => {
    const found = state.windows.find((open) => open.chatId === chatId)
    if (found !== undefined) found.isMinimized = true
  })
}

export function setListOpen(isListOpen: boolean): void {
  messagingStore.set((state) => void (state.isListOpen = isListOpen))
}
