import { closeWindow, openWindow } from './dock-windows.ts'

let wanting: string | undefined
const openers = new Map<string, Element>()

/** Opens a chat's window on somebody's press: it takes the focus, and gives it back when it is closed. */
export function focusWindow(chatId: string): void {
  wanting = chatId
  if (document.activeElement && document.activeElement !== document.body) openers.set(chatId, document.activeElement)
  openWindow(chatId)
}

/** Whether this window takes the focus now: once per press, and not for windows that a reload brings back. */
export function takesFocus(chatId: string): boolean {
  if (wanting !== chatId) return false
  wanting = undefined
  return true
}

/** Closes a window. The focus goes back to where it came from, or to the dock. */
export function leaveWindow(chatId: string): void {
  closeWindow(chatId)
  const opener = openers.get(chatId)
  const target = opener?.isConnected === true ? opener : document.querySelector('[data-dock-home]')
  openers.delete(chatId)
  if (target instanceof HTMLElement) target.focus()
}
