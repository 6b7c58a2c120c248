import { type RefObject, useEffect, useRef } from 'react'
import { closeWindow, openWindow, setListOpen } from './dock-windows.ts'

let wanting: string | undefined
const openers = new Map<string, Element>()
let wantedList: boolean | undefined

/** Opens or closes the list on somebody's press. */
export function pressList(isOpen: boolean): void {
  wantedList = isOpen
  setListOpen(isOpen)
}

/** For the button beside the open or closed list: it stands in for the pressed one, which is gone with its focus. */
export function useListFocus(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (wantedList !== isOpen) return
    wantedList = undefined
    button.current?.focus()
  }, [isOpen])
  return button
}

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
